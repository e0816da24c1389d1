import { screen, waitFor, within } from '@testing-library/react';
import type userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { fakeSession } from '../../shared/test/create-fake-auth.ts';
import { expectConsoleError } from '../../shared/test/setup-browser-tests.ts';
import { beginWithLibrary } from '../test/begin-with-library.ts';
import type { Refusal } from '../test/fake-library.ts';
import { openSignedIn } from '../test/open-signed-in.ts';

const BROKEN: Refusal = {
  status: 500,
  body: { code: 'XX000', message: 'interno', details: null, hint: null },
};

const library = beginWithLibrary();

/** A folder 'Estudos' with a category 'Redes' of two links, and an empty folder 'Viagens'. */
function fill() {
  library.add('folders', { name: 'Viagens' });
  const folder = library.add('folders', { name: 'Estudos' });
  const category = library.add('categories', { name: 'Redes', folder_id: folder['id'], is_public: false });
  for (const title of ['Roteador', 'Cabo']) {
    library.add('links', { title, url: 'https://exemplo.com', category_id: category['id'] });
  }
  return { categoryPath: `/category/${String(category['id'])}` };
}

const counters = () => [...document.querySelectorAll('dd')].map((figure) => figure.textContent);

test('from nothing to a category: the dashboard offers each step and counts along', async () => {
  const { user, path } = openSignedIn('/dashboard');
  expect(await screen.findByText('Nenhuma pasta ainda')).toBeTruthy();
  expect(screen.getByText('Comece criando uma pasta para organizar seus links')).toBeTruthy();
  await waitFor(() => expect(counters()).toEqual(['0', '0', '0']));

  await user.click(screen.getByRole('button', { name: 'Nova Pasta' }));
  await user.type(await screen.findByLabelText('Nome da Pasta'), 'Estudos{Enter}');
  expect(await screen.findByText('Pasta criada com sucesso')).toBeTruthy();
  await waitFor(() => expect(counters()).toEqual(['1', '0', '0']));

  await user.click(await screen.findByRole('button', { name: 'Criar a primeira categoria' }));
  expect(((await screen.findByLabelText('Pasta')) as HTMLInputElement).readOnly).toBe(true);
  await user.type(screen.getByLabelText('Nome da Categoria'), 'Redes{Enter}');
  expect(await screen.findByText('Categoria criada com sucesso')).toBeTruthy();
  expect(await screen.findByText('Nenhum link encontrado nesta categoria')).toBeTruthy();
  expect(path()).toMatch(/^\/category\//);
  // Its owner's name is the database's to say: a screen may call them by the beginning of their e-mail.
  expect(library.table('categories')).toMatchObject([{ name: 'Redes', is_public: false, name_users: null }]);
  expect(screen.getByRole('treeitem', { name: 'Redes' }).getAttribute('aria-current')).toBe('page');
});

test('the dashboard shows the six newest categories, and opens one', async () => {
  const folder = library.add('folders', { name: 'Estudos' });
  for (const name of ['Um', 'Dois', 'Três', 'Quatro', 'Cinco', 'Seis', 'Sete']) {
    library.add('categories', { name, folder_id: folder['id'] });
  }
  const { user, path } = openSignedIn('/dashboard');
  const recent = within(await screen.findByRole('region', { name: 'Categorias recentes' }));
  await waitFor(() => expect(recent.getAllByRole('link')).toHaveLength(6));
  expect(recent.queryByText('Um')).toBeNull();
  expect(recent.getAllByText('Sem descrição')).toHaveLength(6);
  await user.click(recent.getByText('Sete'));
  await waitFor(() => expect(path()).toMatch(/^\/category\//));
});

test('a dashboard that cannot be read counts nothing and lists nothing', async () => {
  library.control.refuse = (method) => (method === 'GET' ? BROKEN : null);
  openSignedIn('/dashboard');
  await waitFor(() => expect(counters()).toEqual(['0', '0', '0']));
  expect(await screen.findByText('Não foi possível carregar suas pastas')).toBeTruthy();
  expectConsoleError(/read failed/);
});

test('a sidebar whose categories cannot be read says so, and offers to try again', async () => {
  fill();
  let asked = 0;
  library.control.refuse = (_method, relation) => {
    if (relation !== 'categories') return null;
    asked += 1;
    return BROKEN;
  };
  const { user } = openSignedIn('/dashboard');
  expect(await screen.findByText('Não foi possível carregar suas categorias')).toBeTruthy();
  expect(screen.queryByText('Não foi possível carregar suas pastas')).toBeNull();
  // Each question once more; on a slow machine what asked ahead may have failed before the sidebar asks.
  expect([2, 4]).toContain(asked);
  const again = screen.getByRole('button', { name: 'Tentar de novo' });
  library.control.refuse = () => null;
  await user.click(again);
  expect(await screen.findByRole('treeitem', { name: /Estudos/ })).toBeTruthy();
  expectConsoleError(/read failed/);
});

describe('a category', () => {
  test('shows its links, which open in a new tab that knows nothing of this one', async () => {
    const { categoryPath } = fill();
    openSignedIn(categoryPath);
    const link = await screen.findByRole('link', { name: 'Roteador' });
    expect(link.getAttribute('target')).toBe('_blank');
    expect(link.getAttribute('rel')).toBe('noopener noreferrer');
    expect(await screen.findByRole('heading', { level: 1, name: 'Redes' })).toBeTruthy();
    expect(screen.getByText('2 links')).toBeTruthy();
  });

  test('also shows under the dashboard when its id is a parameter', async () => {
    const { categoryPath } = fill();
    openSignedIn(`/dashboard?categoryId=${categoryPath.split('/').at(-1)}`);
    expect(await screen.findByRole('heading', { level: 1, name: 'Redes' })).toBeTruthy();
  });

  test.each(['99999999-9999-4999-8999-999999999999', "'; drop table", '%00'])(
    'that does not exist (%s) leads to the dashboard with a word',
    async (id) => {
      fill();
      const { path } = openSignedIn(`/category/${encodeURIComponent(id)}`);
      expect(await screen.findByText('Categoria não encontrada ou acesso não autorizado')).toBeTruthy();
      await waitFor(() => expect(path()).toBe('/dashboard'));
    },
  );

  test('whose links cannot be read offers to try again', async () => {
    const { categoryPath } = fill();
    library.control.refuse = (_method, relation) => (relation === 'links' ? BROKEN : null);
    const { user } = openSignedIn(categoryPath);
    const again = await screen.findByRole('button', { name: 'Tentar de novo' });
    library.control.refuse = () => null;
    await user.click(again);
    expect(await screen.findByRole('link', { name: 'Cabo' })).toBeTruthy();
    expectConsoleError(/read failed/);
  });

  test('lets one pick all links and delete them at once', async () => {
    const { categoryPath } = fill();
    const { user } = openSignedIn(categoryPath);
    await user.click(await screen.findByRole('button', { name: 'Selecionar' }));
    await user.click(screen.getByRole('button', { name: 'Excluir' }));
    expect(await screen.findByText('Nenhum link selecionado')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Selecionar todos' }));
    await user.click(screen.getByRole('button', { name: 'Excluir (2)' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Confirmar exclusão' });
    expect(within(dialog).getByText('Esta ação não poderá ser desfeita.')).toBeTruthy();
    expect(within(dialog).getByText('A Lixeira guarda por 30 dias.')).toBeTruthy();
    await user.click(within(dialog).getByRole('button', { name: 'Excluir' }));
    expect(await screen.findByText('2 links excluídos com sucesso')).toBeTruthy();
    expect(await screen.findByText('Nenhum link encontrado nesta categoria')).toBeTruthy();
    expect(document.activeElement?.id).toBe('page');
    expect(screen.getByText('0 links')).toBeTruthy();
    expect(library.table('links')).toEqual([]);
  });
});

describe('deleting', () => {
  async function deleteFromTree(user: ReturnType<typeof userEvent.setup>, button: string) {
    await user.click(await screen.findByRole('button', { name: button }));
    await user.click(await screen.findByRole('menuitem', { name: 'Excluir' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Confirmar exclusão' });
    expect(within(dialog).getByText('Tem certeza que deseja excluir?')).toBeTruthy();
    return { dialog, confirm: () => user.click(within(dialog).getByRole('button', { name: 'Excluir' })) };
  }

  test('the folder of the open category takes all with it and leads to the dashboard', async () => {
    const { categoryPath } = fill();
    const { user, path } = openSignedIn(categoryPath);
    const { dialog, confirm } = await deleteFromTree(user, 'Ações da pasta Estudos');
    expect(within(dialog).getByText('Com ela vão 1 categoria e 2 links.')).toBeTruthy();
    await confirm();
    expect(await screen.findByText('Pasta excluída com sucesso')).toBeTruthy();
    await waitFor(() => expect(path()).toBe('/dashboard'));
    await waitFor(() => expect(counters()).toEqual(['1', '0', '0']));
    expect(library.table('links')).toEqual([]);
  });

  test('another folder leaves the open category on the screen', async () => {
    const { categoryPath } = fill();
    const { user, path } = openSignedIn(categoryPath);
    const { confirm } = await deleteFromTree(user, 'Ações da pasta Viagens');
    await confirm();
    expect(await screen.findByText('Pasta excluída com sucesso')).toBeTruthy();
    expect(path()).toBe(categoryPath);
  });

  test('that is refused brings folder, categories and counters back, and says so', async () => {
    fill();
    const { user } = openSignedIn('/dashboard');
    await waitFor(() => expect(counters()).toEqual(['2', '1', '2']));
    library.control.refuse = (method) => (method === 'DELETE' ? BROKEN : null);
    const { confirm } = await deleteFromTree(user, 'Ações da pasta Estudos');
    await confirm();
    expect(await screen.findByText('Não foi possível excluir a pasta')).toBeTruthy();
    await waitFor(() => expect(counters()).toEqual(['2', '1', '2']));
    expect(screen.getByRole('treeitem', { name: 'Estudos' })).toBeTruthy();
    const recent = within(screen.getByRole('region', { name: 'Categorias recentes' }));
    expect(recent.getByText('Redes')).toBeTruthy();
  });

  test('the open category leads to the dashboard', async () => {
    const { categoryPath } = fill();
    const { user, path } = openSignedIn(categoryPath);
    const { confirm } = await deleteFromTree(user, 'Ações da categoria Redes');
    await confirm();
    expect(await screen.findByText('Categoria excluída com sucesso')).toBeTruthy();
    await waitFor(() => expect(path()).toBe('/dashboard'));
  });
});

describe.each(['subscribers', 'profiles'])('where %s cannot be read', (broken) => {
  const failPlan = () => {
    library.control.refuse = (_method, relation) => (relation === broken ? BROKEN : null);
  };

  test('nobody is stopped at the limit of the free plan, nor warned of it', async () => {
    const { categoryPath } = fill();
    const category_id = categoryPath.split('/').at(-1);
    for (let n = 3; n <= 20; n += 1)
      library.add('links', { title: `Nota ${n}`, url: `https://exemplo.com/${n}`, category_id });
    failPlan();
    const { user, path } = openSignedIn(categoryPath);
    await user.click(await screen.findByRole('button', { name: 'Abrir menu da conta' }));
    // The check has failed by now: the plan is shown as free, with a word.
    const problem = 'Não foi possível carregar informações da assinatura';
    expect(await screen.findByText(problem)).toBeTruthy();
    await user.keyboard('{Escape}');
    expect(screen.queryByText('Você atingiu o limite de 20 links.')).toBeNull();

    await user.click(await screen.findByRole('button', { name: 'Adicionar Link' }));
    await user.type(await screen.findByLabelText('URL'), 'https://exemplo.com/21');
    await user.type(screen.getByLabelText('Título'), 'Nota 21{Enter}');
    expect(await screen.findByText('Link salvo com sucesso')).toBeTruthy();
    expect(library.table('links')).toHaveLength(21);
    expect(path()).toBe(categoryPath);
    expectConsoleError(/read failed/);
  });

  test('every category that others share opens', async () => {
    share('De Bia', 'Bia');
    const second = share('De Caio', 'Caio');
    failPlan();
    openSignedIn(`/category/${String(second['id'])}`);
    expect(await screen.findByText('Compartilhado por: Caio')).toBeTruthy();
    expect(screen.queryByText('Acesso limitado')).toBeNull();
    expectConsoleError(/read failed/);
  });
});

function share(name: string, owner: string | null) {
  const category = library.add('categories', { name, name_users: owner, user_id: 'outra', folder_id: 'x' });
  const shared = { email: fakeSession().user.email, category_id: category['id'] };
  // The service answers in the order of sharing; this one keeps the newest first.
  library.table('shared_with').push({ ...shared, created_at: '2025-05-11T12:00:00Z' });
  return category;
}

// The dashboard of somebody without categories names them, too.
const sidebar = () => within(screen.getByRole('complementary', { name: 'Navegação', hidden: true }));

describe('what others share', () => {
  test('stands first on the dashboard of somebody who has nothing else', async () => {
    const first = share('De Bia', 'Bia');
    share('De Caio', 'Caio');
    const { user, path } = openSignedIn('/dashboard');
    const cards = within(await screen.findByRole('region', { name: 'Compartilhados com você' }));
    expect(cards.getAllByRole('link').map((link) => link.textContent)).toEqual([
      'De BiaPor: Bia',
      'De CaioPor: Caio',
    ]);
    await user.click(cards.getByRole('link', { name: /De Caio/ }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Acesso limitado' });
    await user.click(within(dialog).getByRole('button', { name: 'Cancelar' }));
    await user.click(cards.getByRole('link', { name: /De Bia/ }));
    await waitFor(() => expect(path()).toBe(`/category/${String(first['id'])}`));
  });

  test('is a group that says so when empty', async () => {
    const { user } = openSignedIn('/dashboard');
    await user.click(await screen.findByRole('button', { name: /Compartilhados/ }));
    expect(screen.getByText('Nenhuma categoria compartilhada')).toBeTruthy();
  });

  test('that cannot be read is not said to be nothing, and is asked for again', async () => {
    share('De Bia', 'Bia');
    let broken = true;
    library.control.refuse = (_method, relation) => (relation === 'shared_with' && broken ? BROKEN : null);
    const { user } = openSignedIn('/dashboard');
    await user.click(await screen.findByRole('button', { name: /Compartilhados/ }));
    const alert = within(await sidebar().findByRole('alert'));
    expect(alert.getByText('Não foi possível carregar o que compartilham com você')).toBeTruthy();
    expect(screen.queryByText('Nenhuma categoria compartilhada')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Recolher barra lateral' }));
    await user.click(screen.getByRole('button', { name: 'Compartilhados' }));
    broken = false;
    await user.click(await screen.findByRole('menuitem', { name: /^Não foi possível.*Tentar de novo$/ }));
    await user.click(screen.getByRole('button', { name: 'Compartilhados' }));
    expect(await screen.findByRole('menuitem', { name: /^De Bia/ })).toBeTruthy();
    await user.keyboard('{Escape}');
    await user.click(screen.getByRole('button', { name: 'Expandir barra lateral' }));
    expectConsoleError(/read failed/);
  });

  test('that cannot be read sends nobody away from its address', async () => {
    const first = share('De Bia', 'Bia');
    library.control.refuse = (_method, relation) => (relation === 'shared_with' ? BROKEN : null);
    const { user, path } = openSignedIn(`/category/${String(first['id'])}`);
    const page = within(await screen.findByRole('main'));
    expect(await page.findByText('Erro ao carregar dados da categoria')).toBeTruthy();
    expect(screen.queryByText(/Categoria não encontrada/)).toBeNull();
    library.control.refuse = () => null;
    await user.click(page.getByRole('button', { name: 'Tentar de novo' }));
    expect(await screen.findByText('Compartilhado por: Bia')).toBeTruthy();
    expect(path()).toBe(`/category/${String(first['id'])}`);
    expectConsoleError(/read failed/);
  });

  test('opens read only; on the free plan the earliest alone', async () => {
    const first = share('De Bia', 'Bia');
    share('De ninguém', null);
    library.add('links', { title: 'Dela', url: 'https://exemplo.com', category_id: first['id'] });
    const { user, path } = openSignedIn('/dashboard');
    const group = await screen.findByRole('button', { name: /Compartilhados/ });
    await user.click(group);
    expect(await sidebar().findByText('Por: Bia')).toBeTruthy();
    expect(sidebar().getByText('Por: Usuário')).toBeTruthy();
    expect(screen.getByTitle(/^De Bia, compartilhada com você em \d\d\/\d\d\/\d{4}$/)).toBeTruthy();

    await user.click(sidebar().getByText('De ninguém'));
    const dialog = await screen.findByRole('alertdialog', { name: 'Acesso limitado' });
    await user.click(within(dialog).getByRole('button', { name: 'Cancelar' }));
    expect(path()).toBe('/dashboard');

    await user.click(sidebar().getByText('De Bia'));
    expect(await screen.findByText('Compartilhado por: Bia')).toBeTruthy();
    expect(screen.getByText('Compartilhamento Restrito')).toBeTruthy();
    expect(await screen.findByRole('link', { name: 'Dela' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Adicionar Link' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Selecionar' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Ações do link Dela' }));
    expect(await screen.findByRole('menuitem', { name: 'Copiar link' })).toBeTruthy();
    expect(screen.queryByRole('menuitem', { name: 'Editar' })).toBeNull();
    expect(screen.queryByRole('menuitem', { name: 'Excluir' })).toBeNull();
  });

  test('is reached in the collapsed sidebar, too', async () => {
    share('De Bia', 'Bia');
    share('De Caio', 'Caio');
    const { user, path } = openSignedIn('/dashboard');
    await user.click(await screen.findByRole('button', { name: 'Recolher barra lateral' }));
    const group = screen.getByRole('button', { name: 'Compartilhados' });
    await user.click(group);
    await user.click(await screen.findByRole('menuitem', { name: /^De Caio\s*Por: Caio$/ }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Acesso limitado' });
    await user.click(within(dialog).getByRole('button', { name: 'Cancelar' }));
    await user.click(group);
    await user.click(await screen.findByRole('menuitem', { name: /^De Bia\s*Por: Bia$/ }));
    expect(await screen.findByText('Compartilhado por: Bia')).toBeTruthy();
    expect(path()).toMatch(/^\/category\//);
    await user.click(screen.getByRole('button', { name: 'Expandir barra lateral' }));
  });

  test('is named in the collapsed sidebar where there is none', async () => {
    const { user } = openSignedIn('/dashboard');
    await user.click(await screen.findByRole('button', { name: 'Recolher barra lateral' }));
    await user.click(screen.getByRole('button', { name: 'Compartilhados' }));
    expect(await screen.findByRole('menuitem', { name: 'Nenhuma categoria compartilhada' })).toBeTruthy();
    await user.keyboard('{Escape}');
    await user.click(await screen.findByRole('button', { name: 'Expandir barra lateral' }));
  });

  test('on the free plan the second says why it stays closed also at its address', async () => {
    share('De Bia', 'Bia');
    const second = share('De Caio', 'Caio');
    const { user, path } = openSignedIn(`/category/${String(second['id'])}`);
    expect(await screen.findByRole('heading', { level: 1, name: 'Acesso limitado' })).toBeTruthy();
    expect(screen.queryByText('Nenhum link encontrado nesta categoria')).toBeNull();
    await user.click(screen.getByRole('link', { name: 'Cancelar' }));
    await waitFor(() => expect(path()).toBe('/dashboard'));
  });

  test('on the free plan another one can be opened instead, from the dialog, its menu and its address', async () => {
    const [first, second] = [share('De Bia', 'Bia'), share('De Caio', 'Caio')];
    library.add('links', { title: 'Dele', url: 'https://exemplo.com', category_id: second['id'] });
    const { user, path } = openSignedIn('/dashboard');
    await user.click(await screen.findByRole('button', { name: /Compartilhados/ }));
    await user.click(await sidebar().findByText('De Caio'));
    const dialog = await screen.findByRole('alertdialog', { name: 'Acesso limitado' });
    await user.click(within(dialog).getByRole('button', { name: 'Abrir esta' }));
    expect(await screen.findByRole('link', { name: 'Dele' })).toBeTruthy();
    expect(path()).toBe(`/category/${String(second['id'])}`);

    await user.click(screen.getByRole('button', { name: 'Ações da categoria compartilhada De Bia' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Abrir esta' }));
    expect(await screen.findByText('Compartilhado por: Bia')).toBeTruthy();
    expect(path()).toBe(`/category/${String(first['id'])}`);
    await user.click(screen.getByRole('button', { name: 'Ações da categoria compartilhada De Bia' }));
    await screen.findByRole('menuitem', { name: 'Sair deste compartilhamento' });
    expect(screen.queryByRole('menuitem', { name: 'Abrir esta' })).toBeNull();
  });

  test('can be left, and taken back', async () => {
    const first = share('De Bia', 'Bia');
    share('De Caio', 'Caio');
    const { user, path } = openSignedIn(`/category/${String(first['id'])}`);
    await screen.findByText('Compartilhado por: Bia');
    await user.click(await screen.findByRole('button', { name: 'Ações da categoria compartilhada De Bia' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Sair deste compartilhamento' }));
    await waitFor(() => expect(path()).toBe('/dashboard'));
    expect(await screen.findByText('Você saiu de “De Bia”')).toBeTruthy();
    await waitFor(() => expect(screen.queryByText('Por: Bia')).toBeNull());
    expect(screen.queryByText(/Categoria não encontrada/)).toBeNull();
    // The place is free for the next one.
    await user.click(sidebar().getByText('Por: Caio'));
    expect(await screen.findByText('Compartilhado por: Caio')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Desfazer' }));
    expect(await screen.findByText('O compartilhamento está de volta')).toBeTruthy();
    expect(await sidebar().findByText('Por: Bia')).toBeTruthy();
  });

  test('whose leaving is not answered yet is taken back by the key all the same', async () => {
    const first = share('De Bia', 'Bia');
    const { user } = openSignedIn(`/category/${String(first['id'])}`);
    await screen.findByText('Compartilhado por: Bia');
    const held = Promise.withResolvers<void>();
    library.control.beforeWrite = () => held.promise;
    await user.click(await screen.findByRole('button', { name: 'Ações da categoria compartilhada De Bia' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Sair deste compartilhamento' }));
    await waitFor(() => expect(screen.queryByText('Por: Bia')).toBeNull());
    await user.keyboard('{Control>}z{/Control}');
    held.resolve();
    expect(await screen.findByText('O compartilhamento está de volta')).toBeTruthy();
    expect(await sidebar().findByText('Por: Bia')).toBeTruthy();
    expect(screen.queryByText('Você saiu de “De Bia”')).toBeNull();
  });

  test('that cannot be left stays, and says so', async () => {
    const first = share('De Bia', 'Bia');
    library.control.refuse = (_method, relation) => (relation === 'rpc/leave_share' ? BROKEN : null);
    const { user } = openSignedIn(`/category/${String(first['id'])}`);
    await screen.findByText('Compartilhado por: Bia');
    await user.click(await screen.findByRole('button', { name: 'Ações da categoria compartilhada De Bia' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Sair deste compartilhamento' }));
    expect(await screen.findByText('Não foi possível sair do compartilhamento')).toBeTruthy();
    expect(await screen.findByText('Por: Bia')).toBeTruthy();
  });
});

describe('a name changed in its row', () => {
  test('of a folder is refused where another has it, and stays in the field; then it is saved', async () => {
    fill();
    const { user } = openSignedIn('/dashboard');
    const folder = await screen.findByRole('treeitem', { name: 'Viagens' });
    library.add('folders', { name: 'Passeios' });
    folder.focus();
    await user.keyboard('{F2}');
    await screen.findByRole('textbox', { name: 'Nome da Pasta' });
    library.control.refuse = (method, relation) =>
      method === 'PATCH' && relation === 'folders'
        ? {
            status: 409,
            body: { code: '23505', message: 'folders_name_is_unique', details: null, hint: null },
          }
        : null;
    await user.keyboard('Passeios{Enter}');
    expect(await screen.findByText('Já existe uma pasta com este nome')).toBeTruthy();
    expect((screen.getByRole('textbox', { name: 'Nome da Pasta' }) as HTMLInputElement).value).toBe(
      'Passeios',
    );
    library.control.refuse = () => null;
    await user.keyboard(' longos{Enter}');
    expect(await screen.findByText('Pasta atualizada com sucesso')).toBeTruthy();
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('treeitem', { name: 'Passeios longos' })),
    );
  });

  test('of a category keeps its description', async () => {
    const folder = library.add('folders', { name: 'Estudos' });
    const redes = library.add('categories', {
      name: 'Redes',
      folder_id: folder['id'],
      is_public: false,
      description: 'de computadores',
    });
    const { user } = openSignedIn(`/category/${String(redes['id'])}`);
    await user.dblClick(await screen.findByRole('treeitem', { name: 'Redes' }));
    await user.type(await screen.findByRole('textbox', { name: 'Nome da Categoria' }), ' locais{Enter}');
    expect(await screen.findByText('Categoria atualizada com sucesso')).toBeTruthy();
    expect(library.table('categories')[0]).toMatchObject({
      name: 'Redes locais',
      description: 'de computadores',
    });
    expect(await screen.findByRole('heading', { level: 1, name: 'Redes locais' })).toBeTruthy();
  });

  test.each([
    {
      name: 'Viagens',
      label: 'Nome da Pasta',
      words: 'O nome da pasta deve ter no máximo 50 caracteres',
      saved: 'Pasta atualizada com sucesso',
    },
    {
      name: 'Redes',
      label: 'Nome da Categoria',
      words: 'O nome da categoria deve ter no máximo 50 caracteres',
      saved: 'Categoria atualizada com sucesso',
    },
  ])('of $name is refused where it is too long, and not cut', async ({ name, label, words, saved }) => {
    const { categoryPath } = fill();
    const { user } = openSignedIn(categoryPath);
    (await screen.findByRole('treeitem', { name })).focus();
    await user.keyboard('{F2}');
    const field = await screen.findByRole<HTMLInputElement>('textbox', { name: label });
    field.select();
    await user.paste('x'.repeat(51));
    await user.keyboard('{Enter}');
    expect(await screen.findByText(words)).toBeTruthy();
    expect(field.value).toBe('x'.repeat(51));
    await waitFor(() => expect(document.activeElement).toBe(field));
    field.select();
    await user.paste('📚'.repeat(50));
    await user.keyboard('{Enter}');
    expect(await screen.findByText(saved)).toBeTruthy();
    expect(await screen.findByRole('treeitem', { name: '📚'.repeat(50) })).toBeTruthy();
  });
});

test('what changed in a category is shown from its menu', async () => {
  fill();
  const { user } = openSignedIn('/dashboard');
  await user.click(await screen.findByRole('treeitem', { name: 'Estudos' }));
  await user.click(await screen.findByRole('button', { name: 'Ações da categoria Redes' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Histórico' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Histórico' }));
  expect(dialog.getByText('Redes')).toBeTruthy();
  expect(await dialog.findByText('Nada mudou nos últimos 30 dias.')).toBeTruthy();
});
