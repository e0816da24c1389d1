import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createFakeAuth, fakeSession } from '../../shared/test/create-fake-auth.ts';
import { expectConsoleError } from '../../shared/test/setup-browser-tests.ts';
import { beginWithLibrary } from '../test/begin-with-library.ts';
import type { Refusal } from '../test/fake-library.ts';
import { openSignedIn } from '../test/open-signed-in.ts';
import { renderApp } from '../test/render-app.tsx';

const library = beginWithLibrary(() => import('../../features/links/components/form/link-dialog.tsx'));
let categoryPath: string;

const refusal = (status: number, code: string, message = ''): Refusal => ({
  status,
  body: { code, message, details: null, hint: null },
});
const violates = (table: string, constraint: string) =>
  refusal(400, '23514', `new row for relation "${table}" violates check constraint "${constraint}"`);
const BROKEN = refusal(500, 'XX000', 'segredo interno');

beforeEach(() => {
  const folder = library.add('folders', { name: 'Estudos' });
  const category = library.add('categories', { name: 'Redes', folder_id: folder['id'], is_public: false });
  categoryPath = `/category/${String(category['id'])}`;
  library.add('links', { title: 'Roteador', url: 'https://exemplo.com/', category_id: category['id'] });
});

const refuse = (method: string, relation: string, answer: Refusal) => {
  library.control.refuse = (asked, of) => (asked === method && of === relation ? answer : null);
};

describe('below the title of a failure stands what the service answered', () => {
  const advice = 'Seu texto continua aqui.';

  test.each([
    [BROKEN, `Erro ao criar pasta. ${advice}`],
    [
      violates('folders', 'folders_name_trimmed'),
      'Dados inválidos para criação de pasta: O nome da pasta é obrigatório',
    ],
    [refusal(401, '42501', 'permission denied'), 'Você precisa estar logado para realizar esta ação'],
  ])('of a new folder: %o', async (answer, words) => {
    refuse('POST', 'folders', answer);
    const { user } = openSignedIn('/dashboard');
    await user.click(await screen.findByRole('button', { name: 'Nova Pasta' }));
    await user.type(await screen.findByLabelText('Nome da Pasta'), 'Minha{Enter}');
    expect(await screen.findByText('Não foi possível criar a pasta')).toBeTruthy();
    expect(await screen.findByText(words)).toBeTruthy();
    expect(screen.queryByText(/segredo interno/)).toBeNull();
  });

  test.each([
    [BROKEN, `Erro ao atualizar pasta. ${advice}`],
    [refusal(504, '57014'), 'O serviço demorou demais para responder. Tente de novo.'],
  ])('of a folder that is renamed: %o', async (answer, words) => {
    refuse('PATCH', 'folders', answer);
    const { user } = openSignedIn('/dashboard');
    await user.click(await screen.findByRole('button', { name: 'Ações da pasta Estudos' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Editar' }));
    await user.type(await screen.findByLabelText('Nome da Pasta'), ' 2{Enter}');
    expect(await screen.findByText('Não foi possível atualizar a pasta')).toBeTruthy();
    expect(await screen.findByText(words)).toBeTruthy();
  });

  test('of a folder that is deleted', async () => {
    refuse('DELETE', 'folders', BROKEN);
    const { user } = openSignedIn('/dashboard');
    await user.click(await screen.findByRole('button', { name: 'Ações da pasta Estudos' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Excluir' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Confirmar exclusão' });
    await user.click(within(dialog).getByRole('button', { name: 'Excluir' }));
    expect(await screen.findByText('Não foi possível excluir a pasta')).toBeTruthy();
    expect(await screen.findByText('Erro ao excluir pasta. Tente de novo.')).toBeTruthy();
  });

  test.each([
    [BROKEN, `Erro ao criar categoria. ${advice}`],
    [refusal(409, '23503', 'violates foreign key constraint'), 'Pasta não encontrada'],
  ])('of a new category: %o', async (answer, words) => {
    refuse('POST', 'categories', answer);
    const { user } = openSignedIn('/dashboard');
    await user.click(await screen.findByRole('button', { name: 'Adicionar categoria em Estudos' }));
    await user.type(await screen.findByLabelText('Nome da Categoria'), 'Minha{Enter}');
    expect(await screen.findByText('Não foi possível criar a categoria')).toBeTruthy();
    expect(await screen.findByText(words)).toBeTruthy();
  });

  test.each([
    [BROKEN, `Erro ao atualizar link. ${advice}`],
    [violates('links', 'links_url_is_http'), 'Dados inválidos para atualização de link: URL inválida'],
    [refusal(409, '23503', 'violates foreign key constraint'), 'Categoria não encontrada'],
  ])('of a link that is changed: %o', async (answer, words) => {
    refuse('PATCH', 'links', answer);
    const { user } = openSignedIn(categoryPath);
    await user.click(await screen.findByRole('button', { name: 'Ações do link Roteador' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Editar' }));
    await user.type(await screen.findByLabelText('Título'), ' novo{Enter}');
    expect(await screen.findByText('Não foi possível atualizar o link')).toBeTruthy();
    expect(await screen.findByText(words)).toBeTruthy();
  });
});

describe('what cannot be read', () => {
  test('folders say so with title and reason', async () => {
    refuse('GET', 'folders', BROKEN);
    openSignedIn('/dashboard');
    expect(await screen.findByText('Erro ao carregar pastas')).toBeTruthy();
    expect(screen.getByText('Não foi possível carregar suas pastas')).toBeTruthy();
    expectConsoleError(/read failed/);
  });

  test('a category reached by its address says so, and opens on the second try', async () => {
    refuse('GET', 'categories', BROKEN);
    const { user } = openSignedIn(categoryPath);
    const title = await screen.findByText('Erro ao carregar dados da categoria');
    library.control.refuse = () => null;
    const alert = title.closest<HTMLElement>('[role=alert]');
    if (alert) await user.click(within(alert).getByRole('button', { name: 'Tentar de novo' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Redes' })).toBeTruthy();
    expectConsoleError(/read failed/);
  });
});

test('a refusal for lack of room has counters and lists asked for anew', async () => {
  refuse('POST', 'categories', {
    status: 400,
    body: {
      code: 'P0001',
      message: 'Limite de 5 categorias atingido',
      details: '{"max":5,"plan":"free"}',
      hint: 'plan_limit_categories',
    },
  });
  const { user } = openSignedIn('/dashboard');
  await user.click(await screen.findByRole('button', { name: 'Adicionar categoria em Estudos' }));
  // Another device has filled the plan meanwhile.
  const folderId = library.table('folders')[0]?.['id'];
  library.add('categories', { name: 'De outro aparelho', folder_id: folderId, is_public: false });
  await user.type(await screen.findByLabelText('Nome da Categoria'), 'Demais{Enter}');
  expect(await screen.findByText('Limite de 5 categorias atingido')).toBeTruthy();
  await waitFor(() =>
    expect(
      screen.getByRole('treeitem', { name: 'Estudos', hidden: true }).getAttribute('aria-description'),
    ).toBe('2 categorias'),
  );
});

describe('with a saved sign-in whose id is none, nothing leaves the browser that the database would refuse', () => {
  const write = vi.fn();

  beforeEach(() => {
    write.mockReset();
    const folder = library.add('folders', { name: 'Minha', user_id: 'eu' });
    const owned = { folder_id: folder['id'], is_public: false, user_id: 'eu' };
    const category = library.add('categories', { name: 'Redes', ...owned });
    categoryPath = `/category/${String(category['id'])}`;
    library.control.beforeWrite = async (relation) => write(relation);
  });

  function open(path: string) {
    const session = fakeSession();
    renderApp(path, { auth: createFakeAuth({ ...session, user: { ...session.user, id: 'eu' } }) });
    return userEvent.setup();
  }

  test.each([
    ['Nova Pasta', 'Nome da Pasta', 'Dados inválidos para criação de pasta: ID de usuário inválido'],
    [
      'Adicionar categoria em Minha',
      'Nome da Categoria',
      'Dados inválidos para criação de categoria: ID de usuário inválido',
    ],
  ])('%s', async (button, field, words) => {
    const user = open('/dashboard');
    await user.click(await screen.findByRole('button', { name: button }));
    await user.type(await screen.findByLabelText(field), 'Nova{Enter}');
    expect(await screen.findByText(words)).toBeTruthy();
    expect(write).not.toHaveBeenCalledWith(expect.stringMatching(/^(folders|categories)$/));
    expect((screen.getByLabelText(field) as HTMLInputElement).value).toBe('Nova');
  });

  test.each(['https://exemplo.com/novo', 'https://a.com\nhttps://b.com'])('links: %j', async (text) => {
    const user = open(categoryPath);
    await screen.findByText('Nenhum link encontrado nesta categoria');
    fireEvent.paste(document.body, { clipboardData: { getData: () => text } });
    const dialog = within(await screen.findByRole('dialog', { name: /^Adicionar/ }));
    const title = dialog.queryByLabelText('Título');
    if (title) await user.type(title, 'Novo');
    await user.click(await dialog.findByRole('button', { name: /^Salvar(?: 2 links)?$/ }));
    const words = 'Dados inválidos para criação de link: ID de usuário inválido';
    expect(await screen.findByText(words)).toBeTruthy();
    expect(write).not.toHaveBeenCalledWith('links');
  });
});
