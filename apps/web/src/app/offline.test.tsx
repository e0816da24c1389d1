import 'fake-indexeddb/auto';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { wipePersistedQueries } from '../shared/lib/query-persistence/query-store.ts';
import { createFakeAuth, fakeSession } from '../shared/test/create-fake-auth.ts';
import { createFakeConnection } from '../shared/test/create-fake-connection.ts';
import { forgetWhenSignedOut } from './forget-when-signed-out.ts';
import { fakeLibrary } from './test/fake-library.ts';
import { loadScreens, renderApp } from './test/render-app.tsx';

const MARK = /Sem conexão: você está vendo a última versão guardada neste aparelho/;

/** What the dashboard shows, by the first word of the query that reads it. */
const SHOWN = [
  'categories',
  'favorites',
  'folders',
  'library-counts',
  // By category, the folders, and what is new in them.
  'received-shares',
  'received-shares',
  'received-shares',
  // The newest, and those of each category.
  'recent-links',
  'recent-links',
  'saved_searches',
  'subscription',
  'tags',
];

beforeAll(loadScreens, 60_000);

let library: ReturnType<typeof fakeLibrary>;
beforeEach(async () => {
  // What the screens of another file have kept since.
  await wipePersistedQueries();
  library = fakeLibrary();
  const folder = library.add('folders', { name: 'Estudos' });
  library.add('categories', { name: 'Física', folder_id: folder['id'] });
  vi.stubGlobal('fetch', library.fetch);
  // Idle at once; without it, as in Safari, the app waits a second.
  vi.stubGlobal('requestIdleCallback', (run: () => void) => setTimeout(run, 0));
  vi.stubGlobal('cancelIdleCallback', (timer: number) => clearTimeout(timer));
});
afterEach(async () => {
  // While it can still take back what waits for an idle moment.
  cleanup();
  vi.unstubAllGlobals();
  await wipePersistedQueries();
});

const folderName = () => screen.findByRole('treeitem', { name: 'Estudos' });

/** Opens the app, waits until what it shows is kept on the device, and closes it. */
async function seeOnce() {
  const view = renderApp('/dashboard', {
    auth: createFakeAuth(fakeSession()),
    connection: createFakeConnection(),
  });
  await folderName();
  const { readPersistedQueries } = await import('../shared/lib/query-persistence/read-persisted-queries.ts');
  const owner = { userId: fakeSession().user.id, buildId: '' };
  await waitFor(async () => {
    const kept = await readPersistedQueries(owner, Date.now());
    expect(kept.map(({ queryKey }) => queryKey[0]).sort()).toEqual(SHOWN);
  });
  view.unmount();
}

function openOffline(path = '/dashboard') {
  const connection = createFakeConnection(false);
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  return { connection, ...renderApp(path, { auth: createFakeAuth(fakeSession()), connection }) };
}

test('without network the last seen library is there, marked; back online it is renewed and the mark goes', async () => {
  await seeOnce();
  const { connection } = openOffline();
  expect(await screen.findByText(MARK)).toBeTruthy();
  await folderName();
  library.add('folders', { name: 'Nova de outro aparelho' });
  vi.stubGlobal('fetch', library.fetch);
  act(() => connection.set(true));
  expect(await screen.findByRole('treeitem', { name: 'Nova de outro aparelho' })).toBeTruthy();
  expect(screen.queryByText(MARK)).toBeNull();
});

test('a write does not begin: it says why, shows nothing, and keeps what was typed', async () => {
  await seeOnce();
  openOffline();
  await folderName();
  await userEvent.click(screen.getByRole('button', { name: 'Nova Pasta' }));
  const name = await screen.findByLabelText<HTMLInputElement>('Nome da Pasta');
  await userEvent.type(name, 'Viagens');
  await userEvent.click(screen.getByRole('button', { name: 'Salvar' }));
  expect(await screen.findByText('Sem conexão. Tente de novo quando voltar.')).toBeTruthy();
  expect(name.value).toBe('Viagens');
  expect(screen.queryByRole('treeitem', { name: 'Viagens' })).toBeNull();
});

test('nothing kept: it says that, and looks again when asked', async () => {
  const { connection } = openOffline();
  expect(await screen.findByText('Sem conexão: nada foi guardado neste aparelho ainda.')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Tentar agora' }));
  await waitFor(() => expect(connection.check).toHaveBeenCalled());
});

test('a category that was never opened here says so', async () => {
  await seeOnce();
  openOffline('/category/99999999-9999-4999-8999-999999999999');
  expect(await screen.findByText('Esta categoria não está guardada neste aparelho')).toBeTruthy();
});

test('signing out wipes the device', async () => {
  await seeOnce();
  const { readPersistedQueries } = await import('../shared/lib/query-persistence/read-persisted-queries.ts');
  const state = { current: 'signed-in' as 'signed-in' | 'signed-out' };
  let tell = () => {};
  forgetWhenSignedOut({
    getState: () =>
      state.current === 'signed-out' ? { status: 'signed-out', onPurpose: true } : { status: 'loading' },
    subscribe: (listener) => {
      tell = listener;
      return () => undefined;
    },
    signOut: async () => null,
    stop: () => undefined,
  });
  const owner = { userId: fakeSession().user.id, buildId: '' };
  expect(await readPersistedQueries(owner, Date.now())).not.toEqual([]);
  state.current = 'signed-out';
  tell();
  await waitFor(async () => expect(await readPersistedQueries(owner, Date.now())).toEqual([]));
});

test('of whoever was signed in before nothing is kept on the device for the next', async () => {
  const { readPersistedQueries } = await import('../shared/lib/query-persistence/read-persisted-queries.ts');
  const ana = fakeSession();
  const bia = { ...ana, user: { ...ana.user, id: '22222222-2222-4222-8222-222222222222' } };
  const keptOf = async (userId: string) =>
    (await readPersistedQueries({ userId, buildId: '' }, Date.now())).map(({ queryHash }) => queryHash);
  const auth = createFakeAuth(ana);
  renderApp('/dashboard', { auth, connection: createFakeConnection() });
  await waitFor(async () => expect(await keptOf(ana.user.id)).toContain(`["folders","${ana.user.id}"]`));
  act(() => auth.announce('SIGNED_IN', bia));
  await waitFor(async () => expect(await keptOf(bia.user.id)).toContain(`["folders","${bia.user.id}"]`));
  expect((await keptOf(bia.user.id)).filter((hash) => hash.includes(ana.user.id))).toEqual([]);
});

test('what a phone shares opens the form filled in, once', async () => {
  const app = renderApp(
    `/share-target?${new URLSearchParams({ title: 'Pão', text: 'https://pao.com.br' })}`,
    {
      auth: createFakeAuth(fakeSession()),
    },
  );
  expect((await screen.findByLabelText<HTMLInputElement>(/^url/i)).value).toBe('https://pao.com.br');
  expect(screen.getByLabelText<HTMLInputElement>(/título/i).value).toBe('Pão');
  expect(app.path()).toBe('/dashboard');
});
