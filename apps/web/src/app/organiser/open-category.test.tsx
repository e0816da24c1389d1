import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createFakeAuth, fakeSession } from '../../shared/test/create-fake-auth.ts';
import { fakeLibrary } from '../test/fake-library.ts';
import { loadScreens, renderApp } from '../test/render-app.tsx';

let library: ReturnType<typeof fakeLibrary>;

beforeAll(async () => {
  await loadScreens();
  await import('./category-page.tsx');
}, 60_000);

beforeEach(() => {
  library = fakeLibrary();
  vi.stubGlobal('fetch', library.fetch);
});

afterEach(() => {
  vi.unstubAllGlobals();
});

const row = (name: string) => screen.getByRole('treeitem', { name });

test('a pressed category is highlighted before its page is drawn, and no longer than it is open', async () => {
  const folder = library.add('folders', { name: 'Estudos' });
  library.add('categories', { name: 'Redes', folder_id: folder['id'] });
  const { path } = renderApp('/dashboard', { auth: createFakeAuth(fakeSession()) });
  const user = userEvent.setup();
  await user.click(await screen.findByRole('treeitem', { name: 'Estudos' }));
  const frames: FrameRequestCallback[] = [];
  vi.stubGlobal('requestAnimationFrame', (draw: FrameRequestCallback) => frames.push(draw));

  await user.click(screen.getByText('Redes', { selector: '[role=treeitem] a' }));
  expect(row('Redes').getAttribute('aria-current')).toBe('page');
  expect(path()).toBe('/dashboard');

  for (const draw of frames) draw(performance.now());
  await waitFor(() => expect(path()).toMatch(/^\/category\//));
  expect(row('Redes').getAttribute('aria-current')).toBe('page');

  vi.unstubAllGlobals();
  vi.stubGlobal('fetch', library.fetch);
  await user.click(screen.getAllByRole('link', { name: /Linkoteca/ })[0] as HTMLElement);
  await waitFor(() => expect(path()).toBe('/dashboard'));
  expect(row('Redes').getAttribute('aria-current')).toBeNull();
});
