import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createFakeAuth, fakeSession } from '../../shared/test/create-fake-auth.ts';
import { createFakeRealtime } from '../../shared/test/create-fake-realtime.ts';
import { beginWithLibrary } from '../test/begin-with-library.ts';
import { renderApp } from '../test/render-app.tsx';

const library = beginWithLibrary(() =>
  Promise.all([
    import('../../features/sharing/components/hand-over.tsx'),
    import('../../features/sharing/components/available-folders.tsx'),
    import('../live/begin-live-updates.ts'),
  ]),
);
let realtime: ReturnType<typeof createFakeRealtime>;

beforeEach(() => {
  localStorage.clear();
  realtime = createFakeRealtime();
  vi.stubGlobal('requestIdleCallback', (run: () => void) => setTimeout(run, 0));
  vi.stubGlobal('cancelIdleCallback', (timer: number) => clearTimeout(timer));
});

// While it can still take back what waits for an idle moment.
afterEach(cleanup);

function open() {
  renderApp('/dashboard', { auth: createFakeAuth(fakeSession()), realtime: realtime.source });
  return userEvent.setup({ delay: null });
}

describe('one’s own folder', () => {
  async function openDialog(roles: Readonly<Record<string, string>>) {
    const userId = fakeSession().user.id;
    library.tables['subscribers'] = [{ user_id: userId, plan: 'plus', subscription_status: 'active' }];
    library.tables['profiles'] = [{ id: userId, plan: 'plus' }];
    const { id } = library.add('folders', { name: 'Estudos' });
    for (const [email, role] of Object.entries(roles))
      library.add('folder_members', { folder_id: id, email, role });
    const user = open();
    await user.click(await screen.findByRole('button', { name: 'Ações da pasta Estudos' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Compartilhar pasta…' }));
    await user.click(await screen.findByText('Passar a pasta adiante'));
    return user;
  }

  test('is offered to somebody who may write in it, and the offer is taken back', async () => {
    const user = await openDialog({ 'ana@b.br': 'viewer', 'bia@b.br': 'editor', 'caio@b.br': 'manager' });
    const choice = screen.getByLabelText('Para quem');
    expect(
      within(choice)
        .getAllByRole('option')
        .map(({ textContent }) => textContent)
        .sort(),
    ).toEqual(['bia@b.br', 'caio@b.br']);
    await user.selectOptions(choice, 'caio@b.br');
    await user.click(screen.getByRole('button', { name: 'Oferecer pasta' }));
    expect(await screen.findByText('Oferta feita')).toBeTruthy();
    const withdraw = await screen.findByRole('button', { name: 'Retirar oferta' });
    expect(screen.getAllByText('Aguardando a resposta de caio@b.br.').length).toBeGreaterThan(0);
    expect(library.table('folder_offers')).toMatchObject([{ email: 'caio@b.br' }]);
    await user.click(withdraw);
    expect(await screen.findByText('Oferta retirada')).toBeTruthy();
    expect(library.table('folder_offers')).toEqual([]);
    expect(await screen.findByLabelText('Para quem')).toBeTruthy();
  });

  test('is not offered to somebody who may write in it no longer, and it is said why', async () => {
    const user = await openDialog({ 'bia@b.br': 'editor' });
    const message = 'Só quem edita ou gerencia a pasta pode recebê-la';
    library.control.refuse = (_method, relation) =>
      relation === 'rpc/offer_folder' ? { status: 409, body: { code: 'PT409', message } } : null;
    await user.click(await screen.findByRole('button', { name: 'Oferecer pasta' }));
    expect(await screen.findByText(message)).toBeTruthy();
  });

  test.each([
    ['Oferecer pasta', 'rpc/offer_folder', 'Oferta feita'],
    ['Retirar oferta', 'rpc/end_folder_offer', 'Oferta retirada'],
  ])('says how ‘%s’ ended also after the dialog was closed', async (act, relation, said) => {
    const user = await openDialog({ 'bia@b.br': 'editor' });
    if (act === 'Retirar oferta') await user.click(screen.getByRole('button', { name: 'Oferecer pasta' }));
    const button = await screen.findByRole('button', { name: act });
    const answer = Promise.withResolvers<void>();
    library.control.beforeWrite = (asked) => (asked === relation ? answer.promise : Promise.resolve());
    await user.click(button);
    const dialog = screen.getByRole('dialog', { name: 'Compartilhar pasta' });
    await user.click(within(dialog).getByRole('button', { name: 'Fechar' }));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Compartilhar pasta' })).toBeNull());
    answer.resolve();
    expect(await screen.findByText(said)).toBeTruthy();
  });

  test('is offered to nobody who only looks on', async () => {
    await openDialog({ 'ana@b.br': 'viewer' });
    expect(await screen.findByText('Só quem pode editar ou gerenciar a pasta pode recebê-la.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Oferecer pasta' })).toBeNull();
  });
});

describe('a folder that one may have', () => {
  const offer = (more: object = {}) =>
    library.add('available_folders', {
      folder_id: 'f',
      name: 'Turma',
      owner_name: 'Olga',
      is_closed: false,
      category_count: 3,
      link_count: 120,
      refusal: null,
      ...more,
    });

  test('says whose it is and what it adds, and is one’s own when accepted', async () => {
    offer();
    const user = open();
    const list = await screen.findByRole('list', { name: 'Pastas que podem ser suas' });
    expect(list.textContent).toContain('Olga quer passar a pasta Turma para você.');
    expect(list.textContent).toContain('Passam a contar no seu plano 3 categorias e 120 links.');
    await user.click(within(list).getByRole('button', { name: 'Aceitar' }));
    expect(await screen.findByText('A pasta Turma agora é sua')).toBeTruthy();
    expect(await screen.findByRole('treeitem', { name: 'Turma' })).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('list', { name: 'Pastas que podem ser suas' })).toBeNull());
    await waitFor(() => expect(document.activeElement?.id).toBe('page'));
  });

  test('is said to be one’s own also where the offer goes before the rest is read anew', async () => {
    offer();
    const user = open();
    const accept = await screen.findByRole('button', { name: 'Aceitar' });
    const read = Promise.withResolvers<void>();
    library.control.beforeRead = (relation) => (relation === 'folders' ? read.promise : Promise.resolve());
    await user.click(accept);
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Aceitar' })).toBeNull());
    read.resolve();
    expect(await screen.findByText('A pasta Turma agora é sua')).toBeTruthy();
  });

  test('is declined', async () => {
    offer();
    const user = open();
    await user.click(await screen.findByRole('button', { name: 'Recusar' }));
    expect(await screen.findByText('Oferta recusada')).toBeTruthy();
    expect(library.table('folders')).toEqual([]);
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Aceitar' })).toBeNull());
    await waitFor(() => expect(document.activeElement?.id).toBe('page'));
  });

  test.each([
    ['plan_limit_links', 'Seu plano não tem lugar para tantos links.'],
    ['plan_limit_tags', 'Seu plano não tem lugar para tantas tags.'],
  ])(
    'that the plan has no room for leads to the plans, and is not to be accepted: %s',
    async (refusal, why) => {
      offer({ refusal });
      open();
      const list = await screen.findByRole('list', { name: 'Pastas que podem ser suas' });
      expect(list.textContent).toContain(why);
      expect(within(list).getByRole('link', { name: 'Ver planos' }).getAttribute('href')).toBe('/plans');
      expect(within(list).queryByRole('button', { name: 'Aceitar' })).toBeNull();
    },
  );

  test('of a closed account is taken over, and there is nobody to decline to', async () => {
    offer({ is_closed: true });
    open();
    const list = await screen.findByRole('list', { name: 'Pastas que podem ser suas' });
    expect(list.textContent).toContain('A conta de quem compartilhava a pasta Turma foi encerrada');
    expect(within(list).getByRole('button', { name: 'Assumir pasta' })).toBeTruthy();
    expect(within(list).queryByRole('button', { name: 'Recusar' })).toBeNull();
  });

  test('comes without reloading when it is offered', async () => {
    open();
    await waitFor(() => expect(realtime.source.isLive('folder_members')).toBe(true));
    expect(screen.queryByRole('list', { name: 'Pastas que podem ser suas' })).toBeNull();
    offer();
    const { email } = fakeSession().user;
    act(() =>
      realtime.tell({
        table: 'folder_members',
        operation: 'UPDATE',
        row: { id: 'm', folder_id: 'f', email: email ?? '', updated_at: new Date().toISOString() },
      }),
    );
    expect(await screen.findByRole('button', { name: 'Aceitar' })).toBeTruthy();
  });

  test('that is too large says so, and not to try again', async () => {
    offer();
    library.control.refuse = (_method, relation) =>
      relation === 'rpc/take_folder'
        ? { status: 409, body: { code: 'PT409', message: 'No máximo 20.000 links por vez' } }
        : null;
    const user = open();
    await user.click(await screen.findByRole('button', { name: 'Aceitar' }));
    expect(await screen.findByText('No máximo 20.000 links por vez')).toBeTruthy();
  });

  test('that cannot be had says so, and stays', async () => {
    offer();
    library.control.refuse = (_method, relation) =>
      relation === 'rpc/take_folder' ? { status: 404, body: { code: 'PT404', message: 'x' } } : null;
    const user = open();
    await user.click(await screen.findByRole('button', { name: 'Aceitar' }));
    expect(await screen.findByText('Não foi possível receber a pasta')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Aceitar' })).toBeTruthy();
  });
});
