import { act, screen, waitFor } from '@testing-library/react';
import { beforeAll, expect, test } from 'vitest';
import { createFakeAuth, fakeSession } from '../../shared/test/create-fake-auth.ts';
import { loadScreens, renderApp } from '../test/render-app.tsx';

beforeAll(async () => {
  await Promise.all([loadScreens(), import('./consent-page.tsx')]);
}, 60_000);

const PATH = '/oauth/consent?authorization_id=pedido-1';

test('whoever is not signed in signs in first, and comes back to the question', async () => {
  const auth = createFakeAuth(null);
  auth.oauth.getAuthorizationDetails.mockResolvedValue({
    data: {
      authorization_id: 'pedido-1',
      redirect_uri: 'https://programa.exemplo/volta',
      client: { id: '1', name: 'Leitor', uri: '', logo_uri: '' },
      user: { id: '2', email: 'ana@exemplo.com' },
      scope: 'links:read',
    },
    error: null,
  });
  const app = renderApp(PATH, { auth });
  await waitFor(() => expect(app.path()).toBe(`/login?from=${encodeURIComponent(PATH)}`));
  // Nobody has looked: the request is still anybody's.
  expect(auth.oauth.getAuthorizationDetails).not.toHaveBeenCalled();
  act(() => auth.announce('SIGNED_IN', fakeSession()));
  await waitFor(() => expect(app.path()).toBe(PATH));
  expect(await screen.findByText('Leitor')).toBeTruthy();
  expect(auth.oauth.getAuthorizationDetails).toHaveBeenCalledExactlyOnceWith('pedido-1');
});
