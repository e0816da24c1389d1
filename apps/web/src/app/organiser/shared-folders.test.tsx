import 'fake-indexeddb/auto';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { listCaptures } from '../../features/captures/api/outbox-store.ts';
import type { Connection } from '../../shared/lib/connection/create-connection.ts';
import { createFakeAuth, fakeSession } from '../../shared/test/create-fake-auth.ts';
import { createFakeConnection } from '../../shared/test/create-fake-connection.ts';
import { createFakeRealtime } from '../../shared/test/create-fake-realtime.ts';
import { expectConsoleError } from '../../shared/test/setup-browser-tests.ts';
import { beginWithLibrary } from '../test/begin-with-library.ts';
import { renderApp } from '../test/render-app.tsx';

const library = beginWithLibrary(() =>
  Promise.all([
    import('../../features/categories/components/received-folders.tsx'),
    import('../../features/links/components/form/link-dialog.tsx'),
    import('../../features/links/components/link-menu.tsx'),
    import('../../features/links/components/pasting/paste-many-dialog.tsx'),
    import('../live/begin-live-updates.ts'),
    import('../captures/begin-captures.ts'),
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

function open(path: string, connection: Connection = createFakeConnection()) {
  const app = renderApp(path, {
    auth: createFakeAuth(fakeSession()),
    realtime: realtime.source,
    connection,
  });
  return { ...app, user: userEvent.setup({ delay: null }) };
}

describe('the people of one’s own folder', () => {
  const members = () => library.table('folder_members').map(({ email, role }) => [email, role]);
  const field = () => screen.getByLabelText<HTMLInputElement>('Convidar por e-mail');

  async function openDialog(plan: 'free' | 'plus' | 'pro', listed: readonly string[] = []) {
    const userId = fakeSession().user.id;
    library.tables['subscribers'] = [{ user_id: userId, plan, subscription_status: 'active' }];
    library.tables['profiles'] = [{ id: userId, plan }];
    const folder = library.add('folders', { name: 'Estudos' });
    library.add('categories', { name: 'Redes', folder_id: folder['id'], is_held_back: false });
    for (const email of listed)
      library.add('folder_members', { folder_id: folder['id'], email, role: 'viewer' });
    const app = open('/dashboard');
    await app.user.click(await screen.findByRole('button', { name: 'Ações da pasta Estudos' }));
    await app.user.click(await screen.findByRole('menuitem', { name: 'Compartilhar pasta…' }));
    const dialog = await screen.findByRole('dialog', { name: 'Compartilhar pasta' });
    await waitFor(() => expect(within(dialog).queryByRole('status', { name: 'Carregando...' })).toBeNull());
    return { ...app, dialog };
  }

  test('are invited with what they may do, change it, and go with a way back', async () => {
    const { user, dialog } = await openDialog('plus');
    expect(within(dialog).getByText('Com o plano Plus, até 3 pessoas por pasta.')).toBeTruthy();
    expect(within(dialog).getByText('Só você está nesta pasta.')).toBeTruthy();
    expect(within(dialog).getByText('0/3')).toBeTruthy();
    const invite = within(dialog).getByRole('button', { name: 'Convidar' });
    expect(invite).toHaveProperty('disabled', true);
    await user.type(field(), 'Bia@Exemplo.com, ana@exemplo.com ');
    // One's own address is none to invite.
    expect(await within(dialog).findByText('Você já tem acesso à pasta')).toBeTruthy();
    await user.click(within(dialog).getByRole('button', { name: /^Remover ana@exemplo.com/ }));
    await user.selectOptions(within(dialog).getByLabelText('O que podem fazer'), 'Pode ver');
    await user.click(invite);
    expect(await screen.findByText('1 pessoa convidada')).toBeTruthy();
    expect(screen.getByText('Enviamos um convite por e-mail.')).toBeTruthy();
    expect(members()).toEqual([['bia@exemplo.com', 'viewer']]);
    const role = await within(dialog).findByLabelText('Permissão de bia@exemplo.com');
    await user.selectOptions(role, 'Pode gerenciar');
    await waitFor(() => expect(members()).toEqual([['bia@exemplo.com', 'manager']]));
    await user.click(within(dialog).getByRole('button', { name: 'Remover bia@exemplo.com' }));
    expect(await screen.findByText('bia@exemplo.com não tem mais acesso')).toBeTruthy();
    expect(members()).toEqual([]);
    await user.keyboard('{Escape}');
    await user.keyboard('{Control>}z{/Control}');
    await waitFor(() => expect(members()).toEqual([['bia@exemplo.com', 'manager']]));
  });

  test('get a mail each, as it says', async () => {
    const { user, dialog } = await openDialog('pro');
    await user.type(field(), 'caio@exemplo.com, davi@exemplo.com ');
    await user.click(within(dialog).getByRole('button', { name: 'Convidar' }));
    expect(await screen.findByText('2 pessoas convidadas')).toBeTruthy();
    expect(screen.getByText('Enviamos um convite por e-mail a cada uma.')).toBeTruthy();
  });

  test('are one hundred at most, which is said of a folder', async () => {
    const { user, dialog } = await openDialog('pro');
    await user.click(field());
    await user.paste(Array.from({ length: 101 }, (_, n) => `p${n}@exemplo.com`).join('\n'));
    expect(within(dialog).getByRole('alert').textContent).toBe('No máximo 100 endereços');
  });

  test('are as many as the plan has: it is said before anybody is typed, with the plan that has more', async () => {
    const { dialog } = await openDialog('plus', ['a@b.br', 'c@b.br', 'd@b.br']);
    expect(screen.queryByLabelText('Convidar por e-mail')).toBeNull();
    expect(dialog.textContent).toContain('até 3 pessoas por pasta. O plano Pro permite até 100.');
    expect(within(dialog).getByRole('button', { name: 'Ver planos' })).toBeTruthy();
  });

  test('are none on the free plan; whoever is left from better days can be removed', async () => {
    const { user, dialog } = await openDialog('free', ['a@b.br']);
    expect(dialog.textContent).toContain('quem já tem acesso só pode ver');
    expect(screen.queryByLabelText('Convidar por e-mail')).toBeNull();
    await user.click(within(dialog).getByRole('button', { name: 'Remover a@b.br' }));
    await waitFor(() => expect(members()).toEqual([]));
    expect(
      await within(dialog).findByText('Compartilhar pastas faz parte dos planos Plus e Pro.'),
    ).toBeTruthy();
  });

  describe('on the free plan', () => {
    const reason = 'Compartilhar pastas faz parte dos planos Plus e Pro.';
    const refuse = (table: string) => {
      const body = { code: 'P0001', message: 'x', details: '{"plan":"free"}', hint: 'plan_sharing' };
      library.control.refuse = (method, relation) =>
        method === 'PATCH' && relation === table ? { status: 400, body } : null;
    };

    test('cannot be allowed more, and it is said why', async () => {
      const { user, dialog } = await openDialog('free', ['a@b.br']);
      refuse('folder_members');
      const role = within(dialog).getByLabelText<HTMLSelectElement>('Permissão de a@b.br');
      await user.selectOptions(role, 'Pode editar');
      expect(await screen.findByText(reason)).toBeTruthy();
      await waitFor(() => expect(role.value).toBe('viewer'));
    });

    test('are not shown what is held back from them, and it is said why', async () => {
      const { user, dialog } = await openDialog('free', ['a@b.br']);
      Object.assign(library.table('categories')[0] ?? {}, { is_held_back: true });
      refuse('categories');
      await user.click(within(dialog).getByText('Categorias reservadas'));
      const box = await within(dialog).findByRole<HTMLInputElement>('checkbox', { name: 'Redes' });
      await user.click(box);
      expect(await screen.findByText(reason)).toBeTruthy();
      await waitFor(() => expect(box.checked).toBe(true));
    });
  });

  test('are removed from one folder, and stay in the others', async () => {
    const other = library.add('folders', { name: 'Obras' });
    const elsewhere = library.add('folder_members', {
      folder_id: other['id'],
      email: 'a@b.br',
      role: 'editor',
    });
    const { user, dialog } = await openDialog('plus', ['a@b.br', 'c@b.br']);
    await user.click(within(dialog).getByRole('button', { name: 'Remover a@b.br' }));
    expect(await screen.findByText('a@b.br não tem mais acesso')).toBeTruthy();
    expect(members().toSorted()).toEqual([
      ['a@b.br', 'editor'],
      ['c@b.br', 'viewer'],
    ]);
    expect(library.table('folder_members').map(({ id }) => id)).toContain(elsewhere['id']);
  });

  test('stay typed where the database refuses, in its words', async () => {
    const { user, dialog } = await openDialog('pro');
    const body = { code: 'P0001', message: 'x', details: '{"max":100}', hint: 'plan_limit_folder_members' };
    library.control.refuse = (method, relation) =>
      method === 'POST' && relation === 'folder_members' ? { status: 400, body } : null;
    await user.type(field(), 'bia@exemplo.com');
    await user.click(within(dialog).getByRole('button', { name: 'Convidar' }));
    expect(await screen.findByText('Limite de 100 pessoas por pasta atingido')).toBeTruthy();
    expect(screen.queryByText(/Enviamos um convite/)).toBeNull();
    expect(within(dialog).getByRole('button', { name: 'Remover bia@exemplo.com' })).toBeTruthy();
  });

  /** Bia is invited, and the answer is lost. */
  async function openAfterLostAnswer() {
    const app = await openDialog('pro');
    const folder = library.table('folders')[0];
    let answered = false;
    library.control.refuse = (method, relation) => {
      if (method !== 'POST' || relation !== 'folder_members' || answered) return null;
      answered = true;
      library.add('folder_members', { folder_id: folder?.['id'], email: 'bia@exemplo.com', role: 'editor' });
      return { status: 504, body: { code: '504', message: 'sem resposta', details: null, hint: null } };
    };
    await app.user.type(field(), 'bia@exemplo.com');
    await app.user.click(within(app.dialog).getByRole('button', { name: 'Convidar' }));
    await within(app.dialog).findByLabelText('Permissão de bia@exemplo.com');
    return app;
  }

  test('are invited once, although the answer was lost, and do not stand in the way of the next', async () => {
    const { user, dialog } = await openAfterLostAnswer();
    await user.type(field(), 'ana.lima@exemplo.com');
    await user.click(within(dialog).getByRole('button', { name: 'Convidar' }));
    expect(await screen.findByText('1 pessoa convidada')).toBeTruthy();
    expect(members().toSorted()).toEqual([
      ['ana.lima@exemplo.com', 'editor'],
      ['bia@exemplo.com', 'editor'],
    ]);
  });

  test('do not stand there to be invited again when they are removed after a lost answer', async () => {
    const { user, dialog } = await openAfterLostAnswer();
    await user.click(within(dialog).getByRole('button', { name: 'Remover bia@exemplo.com' }));
    expect(await screen.findByText('bia@exemplo.com não tem mais acesso')).toBeTruthy();
    expect(within(dialog).queryByText('bia@exemplo.com')).toBeNull();
    expect(within(dialog).getByRole('button', { name: 'Convidar' })).toHaveProperty('disabled', true);
  });

  test('do not see what is held back from them', async () => {
    const { user, dialog } = await openDialog('pro', ['a@b.br']);
    await user.click(within(dialog).getByText('Categorias reservadas'));
    await user.click(await within(dialog).findByRole('checkbox', { name: 'Redes' }));
    await waitFor(() => expect(library.table('categories')[0]?.['is_held_back']).toBe(true));
  });

  async function openHeldBack() {
    const app = await openDialog('pro', ['a@b.br']);
    await app.user.click(within(app.dialog).getByText('Categorias reservadas'));
    const box = await within(app.dialog).findByRole<HTMLInputElement>('checkbox', { name: 'Redes' });
    return { ...app, box, isHeld: () => library.table('categories')[0]?.['is_held_back'] };
  }

  test('see what is held back as the last of two quick presses says, whatever takes longer', async () => {
    const { user, box, isHeld } = await openHeldBack();
    const first = Promise.withResolvers<void>();
    let writes = 0;
    let answered = 0;
    library.control.beforeWrite = async (relation) => {
      if (relation !== 'categories') return;
      writes += 1;
      if (writes === 1) await first.promise;
      answered += 1;
    };
    await user.click(box);
    await waitFor(() => expect(writes).toBe(1));
    await user.click(box);
    expect(box.checked).toBe(false);
    first.resolve();
    await waitFor(() => expect(answered).toBe(2));
    await waitFor(() => expect([isHeld(), box.checked]).toEqual([false, false]));
  });

  test('do not see what was held back although the answer was lost, and the box says so', async () => {
    const { user, box, isHeld } = await openHeldBack();
    library.control.refuse = (method, relation) => {
      if (method !== 'PATCH' || relation !== 'categories') return null;
      Object.assign(library.table('categories')[0] ?? {}, { is_held_back: true });
      return { status: 504, body: { code: '504', message: 'sem resposta', details: null, hint: null } };
    };
    await user.click(box);
    expect(await screen.findByText('Não foi possível mudar a categoria')).toBeTruthy();
    await waitFor(() => expect([isHeld(), box.checked]).toEqual([true, true]));
  });

  test('still see what could not be held back: that is said also after the dialog was closed', async () => {
    const { user, dialog, box } = await openHeldBack();
    const answer = Promise.withResolvers<void>();
    library.control.beforeWrite = (relation) =>
      relation === 'categories' ? answer.promise : Promise.resolve();
    library.control.refuse = (method, relation) =>
      method === 'PATCH' && relation === 'categories'
        ? { status: 500, body: { code: 'XX000', message: 'interno', details: null, hint: null } }
        : null;
    await user.click(box);
    await user.click(within(dialog).getByRole('button', { name: 'Fechar' }));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Compartilhar pasta' })).toBeNull());
    answer.resolve();
    expect(await screen.findByText('Não foi possível mudar a categoria')).toBeTruthy();
  });

  test('keep their role where its change is refused: that is said also after another change', async () => {
    const { user, dialog } = await openDialog('plus', ['a@b.br']);
    const role = await within(dialog).findByLabelText('Permissão de a@b.br');
    const answer = Promise.withResolvers<void>();
    let writes = 0;
    library.control.beforeWrite = async (relation) => {
      if (relation !== 'folder_members') return;
      writes += 1;
      if (writes === 1) await answer.promise;
    };
    await user.selectOptions(role, 'Pode editar');
    await waitFor(() => expect(writes).toBe(1));
    await user.selectOptions(role, 'Pode gerenciar');
    await waitFor(() => expect(members()).toEqual([['a@b.br', 'manager']]));
    library.control.refuse = (method, relation) =>
      method === 'PATCH' && relation === 'folder_members'
        ? { status: 500, body: { code: 'XX000', message: 'interno', details: null, hint: null } }
        : null;
    answer.resolve();
    expect(await screen.findByText('Não foi possível mudar a permissão')).toBeTruthy();
  });

  test('cannot be read: it says so, and asks again', async () => {
    library.control.refuse = (_method, relation) =>
      relation === 'folder_members' ? { status: 500, body: { code: 'XX000', message: 'interno' } } : null;
    const { user, dialog } = await openDialog('pro', ['a@b.br']);
    const retry = await within(dialog).findByRole('button', { name: 'Tentar de novo' });
    library.control.refuse = () => null;
    await user.click(retry);
    expect(await within(dialog).findByText('a@b.br')).toBeTruthy();
    expectConsoleError(/read failed/);
  });
});

describe('a folder that somebody shares', () => {
  function share(role: 'viewer' | 'editor' | 'manager', mayWrite = role !== 'viewer') {
    const owned = { user_id: 'dona', folder_id: '99999999-9999-4999-8999-999999999999' };
    const theirs = library.add('categories', { ...owned, name: 'Receitas' });
    library.add('categories', { ...owned, name: 'Bolos' });
    library.add('links', {
      user_id: 'dona',
      category_id: theirs['id'],
      title: 'Pão',
      url: 'https://exemplo.com/pao',
      added_by_name: 'Bia',
    });
    library.tables['received_folders'] = [
      {
        folder_id: '99999999-9999-4999-8999-999999999999',
        name: 'Cozinha',
        owner_id: 'dona',
        owner_name: 'Dona',
        role,
        may_write: mayWrite,
        shared_at: '2025-05-11T12:00:00Z',
      },
    ];
    library.tables['folder_members'] = [
      { id: 'm1', folder_id: '99999999-9999-4999-8999-999999999999', email: 'ana@exemplo.com', role },
    ];
    return String(theirs['id']);
  }
  const inSidebar = () => within(screen.getByRole('complementary', { name: 'Navegação' }));

  async function openTheirs(id: string, connection?: Connection) {
    const app = open(`/category/${id}`, connection);
    await screen.findByRole('heading', { level: 1, name: 'Receitas' });
    await screen.findByRole('link', { name: 'Pão' });
    return app;
  }

  test('leaves the place of the free plan to what is shared by category alone', async () => {
    const theirs = share('viewer');
    const alone = ['De Caio', 'De Davi'].map((name) =>
      library.add('categories', { name, name_users: name.slice(3), user_id: 'outra', folder_id: 'x' }),
    );
    for (const category_id of [theirs, ...alone.map(({ id }) => id)])
      library
        .table('shared_with')
        .push({ category_id, email: 'ana@exemplo.com', created_at: '2025-05-11T12:00:00Z' });
    const { user } = await openTheirs(theirs);
    await user.click(await inSidebar().findByText('De Caio'));
    expect(await screen.findByText('Compartilhado por: Caio')).toBeTruthy();
    await user.click(inSidebar().getByText('De Davi'));
    expect(await screen.findByRole('alertdialog', { name: 'Acesso limitado' })).toBeTruthy();
  });

  test('stands among what is shared, with whose it is, its categories, and what one may do', async () => {
    await openTheirs(share('editor'));
    const list = await inSidebar().findByRole('list', { name: 'Cozinha' });
    expect(
      within(list)
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual(['Bolos', 'Receitas']);
    expect(inSidebar().getByText('Por: Dona · Pode editar')).toBeTruthy();
    expect(screen.getByText('Compartilhado por: Dona')).toBeTruthy();
    expect(screen.getByText('Adicionado por Bia')).toBeTruthy();
  });

  test('says quietly where others have added something, until one looks', async () => {
    const id = share('viewer');
    const other = library.table('categories').find(({ name }) => name === 'Bolos');
    library.tables['folder_news'] = [
      { category_id: id, added: 3 },
      { category_id: other?.['id'], added: 100 },
    ];
    const { user } = await openTheirs(id);
    const list = await inSidebar().findByRole('list', { name: 'Cozinha' });
    const news = await within(list).findByRole('button', { name: /^Bolos ?mais de 99 links novos$/ });
    // What is on the screen is no news, and is remembered as seen.
    expect(within(list).getByRole('button', { name: 'Receitas' })).toBeTruthy();
    await waitFor(() => expect(library.table('folder_news')).toMatchObject([{ added: 100 }]));
    await user.click(news);
    await waitFor(() => expect(library.table('folder_news')).toEqual([]));
    expect(await within(list).findByRole('button', { name: 'Bolos' })).toBeTruthy();
  });

  test('lets editors add where they are, and does not count it as theirs', async () => {
    const id = share('editor');
    const { user } = await openTheirs(id);
    await user.click(screen.getByRole('button', { name: /Adicionar Link/ }));
    await user.type(await screen.findByLabelText(/^url/i), 'https://exemplo.com/bolo');
    await user.type(screen.getByLabelText(/título/i), 'Bolo');
    await user.click(screen.getByRole('button', { name: 'Salvar' }));
    expect(await screen.findByRole('link', { name: 'Bolo' })).toBeTruthy();
    await waitFor(() => expect(library.table('links')[0]).toMatchObject({ title: 'Bolo', category_id: id }));
  });

  test('keeps what editors add without network, and sends it there', async () => {
    const id = share('editor');
    const connection = createFakeConnection();
    const { user } = await openTheirs(id, connection);
    act(() => connection.set(false));
    await user.click(screen.getByRole('button', { name: /Adicionar Link/ }));
    await user.type(await screen.findByLabelText(/^url/i), 'https://exemplo.com/bolo');
    await user.type(screen.getByLabelText(/título/i), 'Bolo');
    await user.click(screen.getByRole('button', { name: 'Salvar' }));
    const userId = fakeSession().user.id;
    await waitFor(async () =>
      expect(await listCaptures(userId)).toMatchObject([
        { title: 'Bolo', categoryId: id, sharedFolderId: '99999999-9999-4999-8999-999999999999' },
      ]),
    );
    expect(library.table('links').map(({ title }) => title)).toEqual(['Pão']);
    act(() => connection.set(true));
    await waitFor(async () => expect(await listCaptures(userId)).toEqual([]));
    expect(library.table('links')[0]).toMatchObject({ title: 'Bolo', category_id: id });
  });

  test('says where an address is in it already', async () => {
    const { user } = await openTheirs(share('editor'));
    await user.click(screen.getByRole('button', { name: /Adicionar Link/ }));
    await user.type(await screen.findByLabelText(/^url/i), 'https://exemplo.com/pao');
    expect(await screen.findByText(/Cozinha(?: \(de Dona\))? \/ Receitas/)).toBeTruthy();
  });

  test('takes a new category of editors, and opens it', async () => {
    const { user, path } = await openTheirs(share('editor'));
    const body = { code: 'P0001', message: 'x', details: '{"max":30}', hint: 'plan_limit_categories' };
    library.control.refuse = (method, relation) =>
      method === 'POST' && relation === 'categories' ? { status: 400, body } : null;
    await user.click(
      await inSidebar().findByRole('button', { name: 'Ações da pasta compartilhada Cozinha' }),
    );
    await user.click(await screen.findByRole('menuitem', { name: 'Nova Categoria' }));
    const dialog = await screen.findByRole('dialog', { name: 'Nova Categoria' });
    expect(within(dialog).getByText('Cozinha (de Dona)')).toBeTruthy();
    const create = within(dialog).getByRole('button', { name: 'Salvar' });
    await user.click(create);
    expect(await within(dialog).findByText('O nome da categoria é obrigatório')).toBeTruthy();
    await user.type(within(dialog).getByLabelText('Nome da Categoria'), ' Tortas ');
    await user.click(create);
    expect(await within(dialog).findByText(/guarda até 30 categorias, e está cheio/)).toBeTruthy();
    library.control.refuse = () => null;
    await user.click(create);
    expect(await screen.findByText('Categoria criada com sucesso')).toBeTruthy();
    const made = library.table('categories').find(({ name }) => name === 'Tortas');
    expect(made).toMatchObject({ folder_id: '99999999-9999-4999-8999-999999999999' });
    await waitFor(() => expect(path()).toBe(`/category/${String(made?.['id'])}`));
    expect(await screen.findByRole('heading', { level: 1, name: 'Tortas' })).toBeTruthy();
  });

  test('gets a new category once, although the first answer was lost', async () => {
    const sent: unknown[] = [];
    vi.stubGlobal('fetch', async (input: string, init?: RequestInit) => {
      if (init?.method !== 'POST' || !/\/categories\b/.test(input)) return library.fetch(input, init);
      sent.push(JSON.parse(String(init.body)).id);
      const message = 'duplicate key value violates unique constraint "categories_pkey"';
      if (sent.length > 1) return Response.json({ code: '23505', message }, { status: 409 });
      await library.fetch(input, init);
      throw new TypeError('Failed to fetch');
    });
    const { user, path } = await openTheirs(share('editor'));
    await user.click(
      await inSidebar().findByRole('button', { name: 'Ações da pasta compartilhada Cozinha' }),
    );
    await user.click(await screen.findByRole('menuitem', { name: 'Nova Categoria' }));
    const dialog = await screen.findByRole('dialog', { name: 'Nova Categoria' });
    await user.type(within(dialog).getByLabelText('Nome da Categoria'), 'Tortas');
    const create = within(dialog).getByRole('button', { name: 'Salvar' });
    await user.click(create);
    expect(await within(dialog).findByText(/^Não foi possível criar a categoria/)).toBeTruthy();
    await user.click(create);
    expect(await screen.findByText('Categoria criada com sucesso')).toBeTruthy();
    const { id } = library.table('categories').find(({ name }) => name === 'Tortas') ?? {};
    expect(sent).toEqual([id, id]);
    await waitFor(() => expect(path()).toBe(`/category/${String(id)}`));
  });

  test('gets another category where the one whose answer was lost has another name by now', async () => {
    const sent: unknown[] = [];
    vi.stubGlobal('fetch', async (input: string, init?: RequestInit) => {
      if (init?.method !== 'POST' || !/\/categories\b/.test(input)) return library.fetch(input, init);
      const { id } = JSON.parse(String(init.body));
      const message = 'duplicate key value violates unique constraint "categories_pkey"';
      if (sent.includes(id)) return Response.json({ code: '23505', message }, { status: 409 });
      const answer = await library.fetch(input, init);
      if (sent.push(id) > 1) return answer;
      throw new TypeError('Failed to fetch');
    });
    const { user } = await openTheirs(share('editor'));
    await user.click(
      await inSidebar().findByRole('button', { name: 'Ações da pasta compartilhada Cozinha' }),
    );
    await user.click(await screen.findByRole('menuitem', { name: 'Nova Categoria' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Nova Categoria' }));
    await user.type(dialog.getByLabelText('Nome da Categoria'), 'Tortas');
    await user.click(dialog.getByRole('button', { name: 'Salvar' }));
    expect(await dialog.findByText(/^Não foi possível criar a categoria/)).toBeTruthy();
    Object.assign(library.table('categories').find(({ name }) => name === 'Tortas') ?? {}, { name: 'Doces' });
    const [place] = library.table('folder_members');
    act(() => realtime.tell({ table: 'folder_members', operation: 'INSERT', row: { ...place } }));
    expect(await screen.findByText('Doces')).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Salvar' }));
    expect(await screen.findByText('Categoria criada com sucesso')).toBeTruthy();
    const names = library.table('categories').map(({ name }) => name);
    expect(names.toSorted()).toEqual(['Bolos', 'Doces', 'Receitas', 'Tortas']);
  });

  test('tells editors what its people changed', async () => {
    const { user } = await openTheirs(share('editor'));
    await user.click(await screen.findByRole('button', { name: 'Histórico' }));
    const history = await screen.findByRole('dialog', { name: 'Histórico' });
    expect(
      await within(history).findByText('As pessoas da pasta não mudaram nada nos últimos 30 dias.'),
    ).toBeTruthy();
  });

  test('says whose plan is full, and offers no other plan', async () => {
    const { user } = await openTheirs(share('editor'));
    const body = { code: 'P0001', message: 'x', details: '{"max":500}', hint: 'plan_limit_links' };
    library.control.refuse = (method, relation) =>
      method === 'POST' && relation === 'links' ? { status: 400, body } : null;
    await user.click(screen.getByRole('button', { name: /Adicionar Link/ }));
    await user.type(await screen.findByLabelText(/^url/i), 'https://exemplo.com/bolo');
    await user.type(screen.getByLabelText(/título/i), 'Bolo');
    await user.click(screen.getByRole('button', { name: 'Salvar' }));
    expect(
      await screen.findByText('O plano de quem compartilha esta pasta guarda até 500 links, e está cheio.'),
    ).toBeTruthy();
    expect(screen.queryByText('Ver planos')).toBeNull();
  });

  test('says it of a pasted list, too', async () => {
    const { user } = await openTheirs(share('editor'));
    const body = { code: 'P0001', message: 'x', details: '{"max":500}', hint: 'plan_limit_links' };
    library.control.refuse = (method, relation) =>
      method === 'POST' && relation === 'links' ? { status: 400, body } : null;
    const text = 'Bolo - https://exemplo.com/bolo\nTorta - https://exemplo.com/torta';
    fireEvent.paste(document.body, {
      clipboardData: { getData: (type: string) => (type === 'text/html' ? '' : text) },
    });
    await user.click(await screen.findByRole('button', { name: 'Salvar 2 links' }));
    expect(await screen.findByText('Não foi possível salvar os links')).toBeTruthy();
    expect(
      screen.getByText('O plano de quem compartilha esta pasta guarda até 500 links, e está cheio.'),
    ).toBeTruthy();
    expect(screen.queryByText(/Atualize seu plano/)).toBeNull();
  });

  test('lets editors add whose own plan is full: the link takes no place of theirs', async () => {
    const own = library.add('categories', {
      name: 'Minha',
      folder_id: library.add('folders', { name: 'Estudos' })['id'],
    });
    const id = share('editor');
    for (let at = 1; at <= 20; at += 1)
      library.add('links', { category_id: own['id'], title: `${at}`, url: `https://exemplo.com/${at}` });
    const { user } = await openTheirs(id);
    // The person's own plan is known to be full.
    expect(await screen.findByText('Você atingiu o limite de 20 links.')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: /Adicionar Link/ }));
    await user.type(await screen.findByLabelText(/^url/i), 'https://exemplo.com/bolo');
    await user.type(screen.getByLabelText(/título/i), 'Bolo');
    await user.click(screen.getByRole('button', { name: 'Salvar' }));
    expect(await screen.findByText('Link salvo com sucesso')).toBeTruthy();
    expect(library.table('links')[0]).toMatchObject({ title: 'Bolo', category_id: id });
  });

  test('lets editors move links within it, and delete them with a way back', async () => {
    const { user } = await openTheirs(share('editor'));
    library.add('folders', { name: 'Minha' });
    await user.click(screen.getByRole('button', { name: 'Ações do link Pão' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Mover' }));
    const dialog = await screen.findByRole('dialog', { name: 'Mover link' });
    expect(
      within(dialog)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['Bolos', expect.stringContaining('Receitas')]);
    await user.click(within(dialog).getByRole('option', { name: 'Bolos' }));
    expect(await screen.findByText('Link movido para Bolos')).toBeTruthy();
    await user.click(await screen.findByRole('button', { name: 'Desfazer' }));
    expect(await screen.findByText('Link de volta em Receitas')).toBeTruthy();
    await screen.findByRole('link', { name: 'Pão' });
    await user.click(screen.getByRole('button', { name: 'Ações do link Pão' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Excluir' }));
    await user.click(await screen.findByRole('button', { name: 'Excluir' }));
    await waitFor(() => expect(library.table('links')).toEqual([]));
    expect(await screen.findByText('Link excluído com sucesso')).toBeTruthy();
    await user.click(await screen.findByRole('button', { name: 'Desfazer' }));
    expect(await screen.findByRole('link', { name: 'Pão' })).toBeTruthy();
  });

  test('lets editors tag its links, one or many, with tags of whoever shares it', async () => {
    const { user } = await openTheirs(share('editor'));
    await user.click(screen.getByRole('button', { name: 'Ações do link Pão' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Tags' }));
    const dialog = await screen.findByRole('dialog', { name: 'Tags do link' });
    await user.type(within(dialog).getByLabelText('Tags'), 'doce,festa,');
    await user.click(within(dialog).getByRole('button', { name: 'Salvar' }));
    expect(await screen.findByText('Tags salvas')).toBeTruthy();
    expect(await screen.findByText('festa')).toBeTruthy();
    // Whoever edits a link meets them in its form.
    await user.click(screen.getByRole('button', { name: 'Ações do link Pão' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Editar' }));
    const form = await screen.findByRole('dialog', { name: 'Editar Link' });
    await user.click(within(form).getByRole('button', { name: 'Tirar a tag doce' }));
    await user.click(within(form).getByRole('button', { name: 'Salvar' }));
    await waitFor(() => expect(screen.queryByText('doce')).toBeNull());
    expect(library.table('tags').map(({ name }) => name)).toEqual(['festa', 'doce']);
  });

  test.each([
    ['viewers', 'viewer', false],
    ['anybody once its owner’s plan has lapsed', 'manager', false],
  ] as const)('is read by %s, and no more', async (_who, role, mayWrite) => {
    const { user } = await openTheirs(share(role, mayWrite));
    expect(screen.queryByRole('button', { name: /Adicionar Link/ })).toBeNull();
    expect(await screen.findByRole('button', { name: 'Copiar para minha biblioteca' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Histórico' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Ações do link Pão' }));
    expect(await screen.findByRole('menuitem', { name: 'Copiar link' })).toBeTruthy();
    expect(screen.queryByRole('menuitem', { name: 'Excluir' })).toBeNull();
    expect(screen.queryByRole('menuitem', { name: 'Tags' })).toBeNull();
    expect(await inSidebar().findByText('Por: Dona · Pode ver')).toBeTruthy();
    await user.keyboard('{Escape}');
    await user.click(
      await inSidebar().findByRole('button', { name: 'Ações da pasta compartilhada Cozinha' }),
    );
    expect(await screen.findByRole('menuitem', { name: 'Sair da pasta' })).toBeTruthy();
    expect(screen.queryByRole('menuitem', { name: 'Nova Categoria' })).toBeNull();
  });

  test('is left when it is said twice', async () => {
    const { user, path } = await openTheirs(share('editor'));
    await user.click(
      await inSidebar().findByRole('button', { name: 'Ações da pasta compartilhada Cozinha' }),
    );
    expect(screen.queryByRole('menuitem', { name: 'Compartilhar pasta…' })).toBeNull();
    await user.click(await screen.findByRole('menuitem', { name: 'Sair da pasta' }));
    const question = await screen.findByRole('alertdialog', { name: 'Sair da pasta?' });
    library.tables['received_folders'] = [];
    await user.click(within(question).getByRole('button', { name: 'Sair da pasta' }));
    expect(await screen.findByText('Você saiu da pasta')).toBeTruthy();
    expect(library.table('folder_members')).toEqual([]);
    await waitFor(() => expect(path()).toBe('/dashboard'));
    await waitFor(() => expect(inSidebar().queryByText('Cozinha')).toBeNull());
  });

  test('is left by nobody else, and no other folder is', async () => {
    const id = share('manager');
    const [own] = library.table('folder_members');
    library.tables['folder_members'] = [
      own ?? {},
      { ...own, id: 'm2', email: 'bia@exemplo.com' },
      { ...own, id: 'm3', folder_id: '88888888-8888-4888-8888-888888888888' },
    ];
    const { user } = await openTheirs(id);
    await user.click(
      await inSidebar().findByRole('button', { name: 'Ações da pasta compartilhada Cozinha' }),
    );
    await user.click(await screen.findByRole('menuitem', { name: 'Sair da pasta' }));
    const question = await screen.findByRole('alertdialog', { name: 'Sair da pasta?' });
    await user.click(within(question).getByRole('button', { name: 'Sair da pasta' }));
    expect(await screen.findByText('Você saiu da pasta')).toBeTruthy();
    expect(library.table('folder_members').map((member) => member['id'])).toEqual(['m2', 'm3']);
  });

  test('goes from the screen with whoever is removed, and comes with whoever is added', async () => {
    const { path } = await openTheirs(share('editor'));
    await waitFor(() =>
      expect(realtime.subscriptions().map(({ name }) => name)).toEqual(
        expect.arrayContaining(['folder_members', 'received_links']),
      ),
    );
    const [folders, [place]] = [library.table('received_folders'), library.table('folder_members')];
    library.tables['received_folders'] = [];
    act(() => realtime.tell({ table: 'folder_members', operation: 'DELETE', before: { ...place } }));
    expect(await screen.findByText('Categoria não encontrada ou acesso não autorizado')).toBeTruthy();
    expect(path()).toBe('/dashboard');
    library.tables['received_folders'] = folders;
    act(() => realtime.tell({ table: 'folder_members', operation: 'INSERT', row: { ...place } }));
    expect(await inSidebar().findByText('Cozinha')).toBeTruthy();
  });
});
