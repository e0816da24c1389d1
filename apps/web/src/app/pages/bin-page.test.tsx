import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import { createFakeAuth, fakeSession } from '../../shared/test/create-fake-auth.ts';
import { createFakeConnection } from '../../shared/test/create-fake-connection.ts';
import { expectConsoleError } from '../../shared/test/setup-browser-tests.ts';
import { beginWithLibrary } from '../test/begin-with-library.ts';
import type { Refusal } from '../test/fake-library.ts';
import { openSignedIn } from '../test/open-signed-in.ts';
import { renderApp } from '../test/render-app.tsx';

const library = beginWithLibrary(() =>
  Promise.all([import('./bin-page.tsx'), import('./category-route.tsx')]),
);

const refuseRestoring = (body: object) => {
  library.control.refuse = (_method, relation): Refusal | null =>
    relation === 'rpc/restore_from_bin'
      ? { status: 400, body: { message: 'interno', details: null, hint: null, ...body } }
      : null;
};

/** A folder 'Estudos' with the category 'Redes' in it, and whatever is deleted there. */
function fill() {
  const folder = library.add('folders', { name: 'Estudos' });
  const category = library.add('categories', { name: 'Redes', folder_id: folder['id'], is_public: false });
  return { folderId: String(folder['id']), categoryId: String(category['id']) };
}

async function deleteLink(categoryId: string, title: string): Promise<void> {
  const link = library.add('links', { title, url: `https://exemplo.com/${title}`, category_id: categoryId });
  await library.fetch('http://x/rest/v1/rpc/delete_links', {
    method: 'POST',
    body: JSON.stringify({ link_ids: [link['id']] }),
  });
}

const deleteRow = (table: string, id: string) =>
  library.fetch(`http://x/rest/v1/${table}?id=eq.${id}`, { method: 'DELETE' });

const rows = async () =>
  within(await screen.findByRole('list', { name: 'Itens na Lixeira' })).getAllByRole('listitem');
const namesOf = async () => (await rows()).map((row) => row.querySelector('p')?.textContent);
const restoreButtons = () => screen.getAllByRole('button', { name: 'Restaurar' });

describe('the bin', () => {
  test('shows what was deleted, newest first, with where it was and its time', async () => {
    const { categoryId } = fill();
    await deleteLink(categoryId, 'Roteador');
    library.add('links', { title: 'Cabo', url: 'https://exemplo.com/', category_id: categoryId });
    await deleteRow('categories', categoryId);
    const { user } = openSignedIn('/dashboard');
    await user.click(await screen.findByRole('link', { name: 'Lixeira' }));
    const [category, link] = await rows();
    expect(category?.textContent).toContain('Redes');
    expect(category?.textContent).toContain('Categoria em Estudos, com 1 link');
    expect(category?.textContent).toContain('Excluída há 3 dias · sai em 27 dias');
    expect(link?.textContent).toContain('Roteador');
    expect(screen.getByRole('link', { name: 'Lixeira' }).getAttribute('aria-current')).toBe('page');
  });

  test('restores a folder into the tree at once', async () => {
    const { folderId, categoryId } = fill();
    library.add('links', { title: 'Cabo', url: 'https://exemplo.com/', category_id: categoryId });
    await deleteRow('folders', folderId);
    const { user } = openSignedIn('/lixeira');
    expect((await rows())[0]?.textContent).toContain('Pasta, com 1 categoria e 1 link');
    expect(screen.queryByRole('treeitem', { name: 'Estudos' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Restaurar' }));
    expect(await screen.findByRole('treeitem', { name: 'Estudos' })).toBeTruthy();
    expect(await screen.findByText('A Lixeira está vazia')).toBeTruthy();
    expect(library.table('links')).toHaveLength(1);
  });

  test('restores a link, and leads to it', async () => {
    const { categoryId } = fill();
    await deleteLink(categoryId, 'Roteador');
    const { user, path } = openSignedIn('/lixeira');
    await rows();
    await user.click(screen.getByRole('button', { name: 'Restaurar' }));
    expect(await screen.findByText('Restaurado')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Ver' }));
    await waitFor(() => expect(path()).toBe(`/category/${categoryId}`));
    expect(await screen.findByRole('link', { name: /Roteador/ })).toBeTruthy();
  });

  test('takes the keyboard to the next row when one goes, and arrows walk', async () => {
    const { categoryId } = fill();
    for (const title of ['Antena', 'Cabo', 'Roteador']) await deleteLink(categoryId, title);
    const { user } = openSignedIn('/lixeira');
    expect(await namesOf()).toEqual(['Roteador', 'Cabo', 'Antena']);
    restoreButtons()[0]?.focus();
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}');
    expect(document.activeElement).toBe(restoreButtons()[1]);
    await user.keyboard('{Enter}');
    await waitFor(async () => expect(await namesOf()).toEqual(['Roteador', 'Antena']));
    expect(document.activeElement).toBe(restoreButtons()[1]);
  });
});

test('what was restored here is not taken away again by the undo key of its deletion', async () => {
  const { categoryId } = fill();
  library.add('links', { title: 'Cabo', url: 'https://exemplo.com/', category_id: categoryId });
  const { user } = openSignedIn('/lixeira');
  await user.click(await screen.findByRole('treeitem', { name: 'Estudos' }));
  await user.click(await screen.findByRole('button', { name: 'Ações da categoria Redes' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Excluir' }));
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Excluir' }));
  await rows();
  await user.click(screen.getByRole('button', { name: 'Restaurar' }));
  expect(await screen.findByText('Restaurado')).toBeTruthy();
  expect(await screen.findByRole('treeitem', { name: 'Redes', hidden: true })).toBeTruthy();
  await user.keyboard('{Control>}z{/Control}');
  expect(await screen.findByText('Já foi restaurado ou não está mais na Lixeira.')).toBeTruthy();
  await waitFor(() =>
    expect(screen.getAllByRole('treeitem', { name: 'Redes', hidden: true })).toHaveLength(1),
  );
});

describe('what cannot be restored stays, and says why', () => {
  test('its place is gone: another one is chosen', async () => {
    const { folderId, categoryId } = fill();
    const other = library.add('categories', { name: 'Cabos', folder_id: folderId, is_public: false });
    await deleteLink(categoryId, 'Roteador');
    refuseRestoring({ code: 'PT409', hint: 'place_gone' });
    const { user } = openSignedIn('/lixeira');
    await rows();
    await user.click(screen.getByRole('button', { name: 'Restaurar' }));
    const dialog = await screen.findByRole('dialog', { name: 'Restaurar em outro lugar' });
    expect(within(dialog).getByText('O lugar de “Roteador” não existe mais')).toBeTruthy();
    library.control.refuse = () => null;
    await user.click(within(dialog).getByRole('option', { name: /Cabos/ }));
    expect(await screen.findByText('Restaurado')).toBeTruthy();
    expect(library.table('links')[0]?.['category_id']).toBe(other['id']);
  });

  test('what the plan has no room for says so on its button, before the press; what fits does not', async () => {
    const { categoryId } = fill();
    for (let at = 1; at <= 20; at += 1)
      library.add('links', {
        title: `Nota ${at}`,
        url: `https://exemplo.com/${at}`,
        category_id: categoryId,
      });
    await deleteLink(categoryId, 'Roteador');
    const folder = library.add('folders', { name: 'Vazia' });
    await deleteRow('folders', String(folder['id']));
    openSignedIn('/lixeira');
    await rows();
    await waitFor(() =>
      expect(restoreButtons().map((button) => button.getAttribute('aria-description'))).toEqual([
        null,
        '20 de 20 links',
      ]),
    );
  });

  test.each([
    [
      { code: 'P0001', hint: 'plan_limit_links', details: '{"max":20,"plan":"free"}' },
      'Limite de 20 links atingido. O item continua na Lixeira.',
      'Ver planos',
    ],
    [{ code: '23505' }, 'Já existe uma pasta com este nome. Renomeie-a e tente de novo.', null],
    [{ code: 'PT404' }, 'Este item não está mais na Lixeira.', null],
    [{ code: 'XX000' }, 'O item continua na Lixeira. Tente de novo.', null],
  ])('%o', async (refusal, reason, action) => {
    const { categoryId } = fill();
    await deleteLink(categoryId, 'Roteador');
    refuseRestoring(refusal);
    const { user } = openSignedIn('/lixeira');
    await rows();
    await user.click(screen.getByRole('button', { name: 'Restaurar' }));
    expect(await screen.findByText(reason)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Ver planos' }) !== null).toBe(action !== null);
    expect(await namesOf()).toEqual(['Roteador']);
  });
});

describe('for good', () => {
  test('one goes after a question that says so', async () => {
    const { categoryId } = fill();
    await deleteLink(categoryId, 'Cabo');
    await deleteLink(categoryId, 'Roteador');
    const { user } = openSignedIn('/lixeira');
    const [first] = await rows();
    await user.click(within(first as HTMLElement).getByRole('button', { name: 'Excluir para sempre' }));
    const question = await screen.findByRole('alertdialog', { name: 'Excluir para sempre?' });
    expect(within(question).getByText('Esta ação não poderá ser desfeita.')).toBeTruthy();
    await user.click(within(question).getByRole('button', { name: 'Cancelar' }));
    expect(await namesOf()).toEqual(['Roteador', 'Cabo']);
    await user.click(
      within((await rows())[0] as HTMLElement).getByRole('button', { name: 'Excluir para sempre' }),
    );
    await user.click(
      within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Excluir para sempre' }),
    );
    expect(await screen.findByText('Excluído para sempre')).toBeTruthy();
    expect(await namesOf()).toEqual(['Cabo']);
  });

  test('everything goes; refused, it stays', async () => {
    const { categoryId } = fill();
    await deleteLink(categoryId, 'Cabo');
    const { user } = openSignedIn('/lixeira');
    const emptyBin = async () => {
      await user.click(await screen.findByRole('button', { name: 'Esvaziar lixeira' }));
      const question = await screen.findByRole('alertdialog', { name: 'Esvaziar a Lixeira?' });
      await user.click(within(question).getByRole('button', { name: 'Esvaziar lixeira' }));
    };
    library.control.refuse = (_method, relation) =>
      relation === 'rpc/empty_bin' ? { status: 500, body: { code: 'XX000', message: 'x' } } : null;
    await emptyBin();
    expect(await screen.findByText('Não foi possível excluir')).toBeTruthy();
    expect(await namesOf()).toEqual(['Cabo']);
    library.control.refuse = () => null;
    await emptyBin();
    expect(await screen.findByText('Lixeira esvaziada')).toBeTruthy();
    expect(await screen.findByText('A Lixeira está vazia')).toBeTruthy();
  });
});

describe('without a list', () => {
  test('that cannot be read it says so, and tries again', async () => {
    const { categoryId } = fill();
    await deleteLink(categoryId, 'Cabo');
    library.control.refuse = (_method, relation) =>
      relation === 'rpc/list_bin' ? { status: 500, body: { code: 'XX000', message: 'x' } } : null;
    const { user } = openSignedIn('/lixeira');
    expect(await screen.findByText('Não foi possível carregar a Lixeira')).toBeTruthy();
    library.control.refuse = () => null;
    await user.click(screen.getByRole('button', { name: 'Tentar de novo' }));
    expect(await namesOf()).toEqual(['Cabo']);
    expectConsoleError(/read failed/);
  });

  test('offline it waits for the connection', async () => {
    renderApp('/lixeira', { auth: createFakeAuth(fakeSession()), connection: createFakeConnection(false) });
    expect(await screen.findByText('A Lixeira aparece quando a conexão voltar.')).toBeTruthy();
  });
});

test('the rest comes page after page', async () => {
  const { categoryId } = fill();
  for (let n = 0; n < 51; n += 1) await deleteLink(categoryId, `Link ${n}`);
  const asked: unknown[] = [];
  const { fetch } = library;
  vi.stubGlobal('fetch', async (input: string | URL | Request, init?: RequestInit) => {
    if (!String(input instanceof Request ? input.url : input).endsWith('/rpc/list_bin'))
      return fetch(input, init);
    const { before, max } = JSON.parse(String(init?.body));
    asked.push(before);
    const all: { id: number }[] = await (await fetch(input, init)).json();
    const page = all.filter(({ id }) => before === undefined || id < before).slice(0, max);
    return new Response(JSON.stringify(page), { headers: { 'content-type': 'application/json' } });
  });
  openSignedIn('/lixeira');
  expect(await rows()).toHaveLength(50);
  await userEvent.click(screen.getByRole('button', { name: 'Mostrar mais' }));
  await waitFor(async () => expect(await rows()).toHaveLength(51));
  expect(asked).toEqual([undefined, 2]);
  expect(screen.queryByRole('button', { name: 'Mostrar mais' })).toBeNull();
});
