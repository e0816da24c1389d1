import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeSession } from '../../shared/test/create-fake-auth.ts';
import { beginWithLibrary } from '../test/begin-with-library.ts';
import { openSignedIn } from '../test/open-signed-in.ts';

const library = beginWithLibrary(() =>
  Promise.all([
    import('../../features/sharing/components/public-folder.tsx'),
    import('./shared-folders/share-folder-host.tsx'),
  ]),
);

/** The dialog of one's own folder with one public category and one that is not. */
async function openDialog(
  plan: 'free' | 'plus',
  { isPublic = false, published = 1 } = {},
  prepare: () => void = () => undefined,
) {
  const userId = fakeSession().user.id;
  library.tables['subscribers'] = [{ user_id: userId, plan, subscription_status: 'active' }];
  library.tables['profiles'] = [{ id: userId, plan }];
  const folder = library.add('folders', {
    id: 'f81d4fae-7dec-41d0-a765-00a0c91e6bf6',
    name: 'Turma 9B',
    is_public: isPublic,
  });
  for (const [index, name] of ['Provas', 'Notas'].entries())
    library.add('categories', { name, folder_id: folder['id'], is_public: index < published });
  prepare();
  const app = openSignedIn('/dashboard');
  await app.user.click(await screen.findByRole('button', { name: 'Ações da pasta Turma 9B' }));
  await app.user.click(await screen.findByRole('menuitem', { name: 'Compartilhar pasta…' }));
  const dialog = await screen.findByRole('dialog', { name: 'Compartilhar pasta' });
  await waitFor(() => expect(within(dialog).queryByRole('status', { name: 'Carregando...' })).toBeNull());
  return { ...app, dialog };
}

const findSwitch = (dialog: HTMLElement) =>
  within(dialog).findByRole<HTMLInputElement>('switch', { name: 'Página pública da pasta' });
const isPublic = () => library.table('folders')[0]?.['is_public'];
const address = () => screen.queryByRole('link', { name: /\/shared\/pasta\/turma-9b-/ });

test('a folder’s page is published with one press, shows its address, and is taken down with another', async () => {
  const { user, dialog } = await openDialog('plus');
  expect(address()).toBeNull();
  await user.click(await findSwitch(dialog));
  expect(await screen.findByText('Página da pasta publicada')).toBeTruthy();
  expect(isPublic()).toBe(true);
  expect(address()?.getAttribute('href')).toMatch(
    /^http:\/\/localhost:3000\/shared\/pasta\/turma-9b-[\w-]{22}$/,
  );
  expect(within(dialog).getByText('1 categoria pública na página.')).toBeTruthy();
  await user.click(within(dialog).getByRole('button', { name: 'Copiar link' }));
  expect(await navigator.clipboard.readText()).toBe(address()?.getAttribute('href'));
  await user.click(await findSwitch(dialog));
  expect(await screen.findByText('Página da pasta retirada')).toBeTruthy();
  expect(isPublic()).toBe(false);
  expect(address()).toBeNull();
});

test('publishing one folder publishes no other', async () => {
  const { user, dialog } = await openDialog('plus', {}, () => {
    library.add('folders', { name: 'Diário', is_public: false });
  });
  await user.click(await findSwitch(dialog));
  expect(await screen.findByText('Página da pasta publicada')).toBeTruthy();
  const pages = library.table('folders').map((folder) => [folder['name'], folder['is_public']]);
  expect(Object.fromEntries(pages)).toEqual({ 'Turma 9B': true, Diário: false });
});

test('without a public category it says that nothing stands there yet, and has no address to hand on', async () => {
  const { dialog } = await openDialog('plus', { isPublic: true, published: 0 });
  expect((await findSwitch(dialog)).checked).toBe(true);
  expect(within(dialog).getByText(/^Nenhuma categoria desta pasta é pública/)).toBeTruthy();
  expect(address()).toBeNull();
});

test('what has a password or is past its end stands on no page: it is not counted, and alone it opens none', async () => {
  const now = Date.now();
  const limits = [
    { has_password: true, ends_at: null },
    { has_password: false, ends_at: new Date(now - 60_000).toISOString() },
    { has_password: false, ends_at: new Date(now + 3_600_000).toISOString() },
  ];
  const limit = (of: readonly object[]) => {
    const pages = library.table('categories').filter((row) => row['is_public']);
    library.tables['page_limits'] = of.map((each, index) => ({ ...each, id: pages[index]?.['id'] }));
  };
  const { dialog, unmount } = await openDialog('plus', { isPublic: true, published: 2 }, () => limit(limits));
  expect(await within(dialog).findByText(/têm senha ou prazo vencido/)).toBeTruthy();
  expect(address()).toBeNull();
  unmount();
  library.reset();
  const one = await openDialog('plus', { isPublic: true, published: 2 }, () => limit(limits.slice(1)));
  expect(await within(one.dialog).findByText('1 categoria pública na página.')).toBeTruthy();
  expect(address()).toBeTruthy();
});

test('a plan that does not share has no page to publish, and can take down the one it has', async () => {
  const { dialog, unmount } = await openDialog('free');
  expect(within(dialog).getByText('Compartilhar pastas faz parte dos planos Plus e Pro.')).toBeTruthy();
  expect(within(dialog).queryByRole('switch')).toBeNull();
  unmount();
  library.reset();
  const old = await openDialog('free', { isPublic: true });
  await old.user.click(await findSwitch(old.dialog));
  await waitFor(() => expect(isPublic()).toBe(false));
  await waitFor(() => expect(within(old.dialog).queryByRole('switch')).toBeNull());
});

test('a second press before the answer changes nothing: what is shown is what is', async () => {
  const { user, dialog } = await openDialog('plus');
  const answer = Promise.withResolvers<void>();
  const written: string[] = [];
  // What the dialog still asks for by functions is answered.
  library.control.beforeWrite = async (relation) => {
    if (relation.startsWith('rpc/')) return;
    written.push(relation);
    await answer.promise;
  };
  await user.click(await findSwitch(dialog));
  await waitFor(async () => expect((await findSwitch(dialog)).checked).toBe(true));
  await user.click(await findSwitch(dialog));
  answer.resolve();
  expect(await screen.findByText('Página da pasta publicada')).toBeTruthy();
  expect((await findSwitch(dialog)).checked).toBe(true);
  expect([written, isPublic()]).toEqual([['folders'], true]);
});

test('what the service refuses goes back, and is said', async () => {
  const { user, dialog } = await openDialog('plus');
  library.control.refuse = (method, relation) =>
    method === 'PATCH' && relation === 'folders'
      ? { status: 500, body: { code: 'XX000', message: 'interno', details: null, hint: null } }
      : null;
  await user.click(await findSwitch(dialog));
  expect(await screen.findByText('Não foi possível mudar a página da pasta')).toBeTruthy();
  expect((await findSwitch(dialog)).checked).toBe(false);
  expect(address()).toBeNull();
});

test('what the service refuses is said also after the dialog was closed', async () => {
  const { user, dialog } = await openDialog('plus', { isPublic: true });
  const answer = Promise.withResolvers<void>();
  library.control.beforeWrite = (relation) => (relation === 'folders' ? answer.promise : Promise.resolve());
  library.control.refuse = (method, relation) =>
    method === 'PATCH' && relation === 'folders'
      ? { status: 500, body: { code: 'XX000', message: 'interno', details: null, hint: null } }
      : null;
  await user.click(await findSwitch(dialog));
  await user.click(within(dialog).getByRole('button', { name: 'Fechar' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Compartilhar pasta' })).toBeNull());
  answer.resolve();
  expect(await screen.findByText('Não foi possível mudar a página da pasta')).toBeTruthy();
});

test('what a plan that has ended meanwhile refuses says that the plan is the reason', async () => {
  const { user, dialog } = await openDialog('plus');
  const body = { code: 'P0001', message: 'x', details: '{"plan":"free"}', hint: 'plan_sharing' };
  library.control.refuse = (method, relation) =>
    method === 'PATCH' && relation === 'folders' ? { status: 400, body } : null;
  await user.click(await findSwitch(dialog));
  expect(await screen.findByText('Compartilhar pastas faz parte dos planos Plus e Pro.')).toBeTruthy();
});

test('what was stored although its answer was lost is shown', async () => {
  const { user, dialog } = await openDialog('plus');
  library.control.refuse = (method, relation) => {
    if (method !== 'PATCH' || relation !== 'folders') return null;
    Object.assign(library.table('folders')[0] ?? {}, { is_public: true });
    return { status: 504, body: { code: '504', message: 'sem resposta', details: null, hint: null } };
  };
  await user.click(await findSwitch(dialog));
  expect(await screen.findByText('Não foi possível mudar a página da pasta')).toBeTruthy();
  await waitFor(async () => expect((await findSwitch(dialog)).checked).toBe(true));
});
