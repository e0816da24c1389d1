import { createMemoryHistory } from '@tanstack/react-router';
import { render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { fakeConfig } from '../shared/test/render-with-providers.tsx';
import { App } from './app.tsx';
import { createAppServices } from './create-app-services.ts';

// Compiled before, so that no test measures it.
beforeAll(() => import('../features/auth/components/login-screen.tsx'), 60_000);

afterEach(() => void vi.restoreAllMocks());

function refuse(): never {
  throw new DOMException('denied', 'SecurityError');
}

test('the app starts where the browser refuses storage', async () => {
  vi.spyOn(globalThis, 'localStorage', 'get').mockImplementation(refuse);
  const services = createAppServices(fakeConfig);
  const { unmount } = render(
    <App {...services} history={createMemoryHistory({ initialEntries: ['/login'] })} />,
  );
  expect(await screen.findByRole('heading', { name: 'Entrar' })).toBeTruthy();
  unmount();
  services.session.stop();
  services.connection?.stop();
  await services.backend.auth.stopAutoRefresh();
});

test('the app starts where the browser has storage that cannot be read', async () => {
  const unreadable = vi.spyOn(Storage.prototype, 'getItem').mockImplementation(refuse);
  const { session, connection, backend } = createAppServices(fakeConfig);
  // The auth client has tried the storage when its code was loaded.
  unreadable.mockRestore();
  session.stop();
  connection?.stop();
  await backend.auth.stopAutoRefresh();
});
