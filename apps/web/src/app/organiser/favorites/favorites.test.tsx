import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { createFakeAuth, fakeSession } from '../../../shared/test/create-fake-auth.ts';
import { createFakeConnection } from '../../../shared/test/create-fake-connection.ts';
import { createFakeRealtime } from '../../../shared/test/create-fake-realtime.ts';
import { beginWithLibrary } from '../../test/begin-with-library.ts';
import { renderApp } from '../../test/render-app.tsx';

const library = beginWithLibrary(() =>
  Promise.all([
    import('./favorites-panel.tsx'),
    import('./toggle-star.ts'),
    import('../../../shared/ui/menus/anchored-menu-popup.tsx'),
  ]),
);
beforeEach(() => localStorage.clear());

type AppOptions = Parameters<typeof renderApp>[1];

/** Opens 'Redes', of 'Estudos', with the links 'Sockets' and 'Rotas'. */
async function openCategory(
  options: AppOptions = {},
  arrange: (ids: Record<string, string>) => void = () => {},
) {
  const folder = library.add('folders', { name: 'Estudos' });
  const category = library.add('categories', { name: 'Redes', folder_id: folder['id'], is_public: false });
  const home = { category_id: category['id'] };
  const routes = library.add('links', { ...home, title: 'Rotas', url: 'https://rotas.exemplo/' });
  const sockets = library.add('links', { ...home, title: 'Sockets', url: 'https://sockets.exemplo/' });
  const ids = {
    category: String(category['id']),
    routes: String(routes['id']),
    sockets: String(sockets['id']),
  };
  arrange(ids);
  renderApp(`/category/${ids.category}`, { auth: createFakeAuth(fakeSession()), ...options });
  await screen.findByRole('link', { name: 'Sockets' });
  return { user: userEvent.setup({ delay: null }), ids };
}

const list = () => screen.getByRole('list', { name: 'Links' });
const link = (name: string) => within(list()).getByRole('link', { name });
const marks = () => within(list()).queryAllByRole('img', { name: 'Favorito' });
const group = () => screen.findByRole('region', { name: 'Favoritos' });
const noGroup = () => waitFor(() => expect(screen.queryByRole('region', { name: 'Favoritos' })).toBeNull());
const listed = async () =>
  within(await group())
    .getAllByRole('link')
    .map((anchor) => anchor.textContent);
const starred = () => library.table('favorites').map((row) => row['link_id'] ?? row['category_id']);

describe('a link', () => {
  test('is starred with S and shows it; the sidebar opens it; S again takes the star off', async () => {
    const { ids } = await openCategory();
    expect(screen.queryByRole('region', { name: 'Favoritos' })).toBeNull();
    const sockets = link('Sockets');
    sockets.focus();
    fireEvent.keyDown(sockets, { key: 's' });
    expect(await listed()).toEqual(['Sockets']);
    const entry = within(await group()).getByRole('link', { name: 'Sockets' });
    expect([entry.getAttribute('href'), entry.getAttribute('target'), entry.getAttribute('rel')]).toEqual([
      'https://sockets.exemplo/',
      '_blank',
      'noopener noreferrer',
    ]);
    expect(marks()).toHaveLength(1);
    expect(document.activeElement).toBe(sockets);
    await waitFor(() => expect(starred()).toEqual([ids.sockets]));
    fireEvent.keyDown(sockets, { key: 's' });
    await noGroup();
    expect(marks()).toEqual([]);
    await waitFor(() => expect(starred()).toEqual([]));
  });

  test('is starred in its menu, and the menu says what another press does', async () => {
    const { user } = await openCategory();
    const press = async (name: string) => {
      await user.click(screen.getByRole('button', { name: 'Ações do link Rotas' }));
      await user.click(await screen.findByRole('menuitem', { name }));
    };
    await press('Favoritar');
    expect(await listed()).toEqual(['Rotas']);
    await press('Tirar dos favoritos');
    await noGroup();
  });

  test('that is pressed twice in a hurry ends as the last press says, whatever takes longer', async () => {
    await openCategory();
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let writes = 0;
    library.control.beforeWrite = async (relation) => {
      if (relation !== 'favorites') return;
      writes += 1;
      if (writes === 1) await held;
    };
    const sockets = link('Sockets');
    sockets.focus();
    fireEvent.keyDown(sockets, { key: 's' });
    await group();
    fireEvent.keyDown(sockets, { key: 's' });
    await noGroup();
    expect(writes).toBe(1);
    letGo();
    await waitFor(() => expect(writes).toBe(2));
    await waitFor(() => expect(starred()).toEqual([]));
    await noGroup();
  });

  test('of another title, or gone, is so among the favourites', async () => {
    const { user, ids } = await openCategory({}, ({ routes, sockets }) => {
      for (const id of [sockets, routes]) library.add('favorites', { link_id: id, category_id: null });
    });
    expect(await listed()).toEqual(['Sockets', 'Rotas']);
    link('Rotas').focus();
    await user.keyboard('{Delete}');
    await user.click(await screen.findByRole('button', { name: 'Excluir' }));
    await waitFor(async () => expect(await listed()).toEqual(['Sockets']));
    expect(starred()).toEqual([ids.sockets]);
  });
});

describe('a category', () => {
  test('is starred in its header and in the tree; the sidebar opens it, before the links', async () => {
    const { user, ids } = await openCategory({}, ({ sockets }) => {
      library.add('favorites', { link_id: sockets, category_id: null });
    });
    await group();
    await user.click(screen.getByRole('button', { name: 'Favoritar' }));
    expect(await listed()).toEqual(['Redes', 'Sockets']);
    const entry = within(await group()).getByRole('link', { name: 'Redes' });
    expect(entry.getAttribute('href')).toBe(`/category/${ids.category}`);
    expect(entry.getAttribute('aria-current')).toBe('page');
    await user.click(screen.getByRole('button', { name: 'Ações da categoria Redes' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Tirar dos favoritos' }));
    await waitFor(async () => expect(await listed()).toEqual(['Sockets']));
    expect(screen.getByRole('button', { name: 'Favoritar' })).toBeTruthy();
  });

  test('that somebody shares is one, until it is shared no more', async () => {
    const { user } = await openCategory({}, () => {
      const other = library.add('categories', { name: 'Alheia', user_id: 'outra', name_users: 'Lia' });
      library.add('shared_with', { category_id: other['id'], email: fakeSession().user.email });
      library.add('favorites', { category_id: other['id'], link_id: null });
      library.add('favorites', { category_id: crypto.randomUUID(), link_id: null });
    });
    expect(await listed()).toEqual(['Alheia']);
    await user.click(within(await group()).getByRole('link', { name: 'Alheia' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Alheia' })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Tirar dos favoritos' })).toBeTruthy();
  });
});

describe('the group', () => {
  const starBoth = ({ routes, sockets }: Record<string, string>) => {
    library.add('favorites', { link_id: sockets, category_id: null });
    library.add('favorites', { link_id: routes, category_id: null });
  };

  test('stands above what is shared, closes, and stays closed', async () => {
    const { user } = await openCategory({}, starBoth);
    const head = within(await group()).getByRole('button', { name: /^Favoritos/ });
    const shared = screen.getByRole('button', { name: /^Compartilhados/ });
    expect(head.compareDocumentPosition(shared) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
    expect(head.getAttribute('aria-expanded')).toBe('true');
    await user.click(head);
    expect(within(await group()).queryAllByRole('link')).toEqual([]);
    expect(localStorage.getItem('linkoteca-favorites')).toBe('closed');
  });

  test('takes one out in place; the keyboard goes to the next', async () => {
    const { user, ids } = await openCategory({}, starBoth);
    await user.click(within(await group()).getByRole('button', { name: 'Tirar Sockets dos favoritos' }));
    expect(await listed()).toEqual(['Rotas']);
    expect(document.activeElement?.textContent).toBe('Rotas');
    await waitFor(() => expect(starred()).toEqual([ids.routes]));
  });

  test('is an icon with a menu while the sidebar is collapsed', async () => {
    const { user } = await openCategory({}, starBoth);
    await group();
    await user.keyboard('{Control>}b{/Control}');
    await user.click(await screen.findByRole('button', { name: 'Favoritos' }));
    expect((await screen.findAllByRole('menuitem')).map((item) => item.textContent)).toEqual([
      'Sockets',
      'Rotas',
    ]);
  });

  test('follows another device', async () => {
    const realtime = createFakeRealtime();
    const { ids } = await openCategory({ realtime: realtime.source });
    expect(screen.queryByRole('region', { name: 'Favoritos' })).toBeNull();
    const row = library.add('favorites', { link_id: ids.sockets, category_id: null });
    realtime.tell({ table: 'favorites', operation: 'INSERT', row });
    expect(await listed()).toEqual(['Sockets']);
    // What went with one's own deletion is no news.
    expect(screen.queryByText('Atualizado agora')).toBeNull();
  });
});

describe('a refusal', () => {
  test('takes the star back and says why', async () => {
    await openCategory();
    library.control.refuse = (method, relation) =>
      method === 'POST' && relation === 'favorites'
        ? {
            status: 400,
            body: {
              code: 'P0001',
              hint: 'bound_favorites',
              message: 'Limite de 1.000 favoritos atingido',
              details: '',
            },
          }
        : null;
    const sockets = link('Sockets');
    sockets.focus();
    fireEvent.keyDown(sockets, { key: 's' });
    expect(await screen.findByText('Não foi possível favoritar')).toBeTruthy();
    expect(screen.getByText('Limite de 1.000 favoritos atingido')).toBeTruthy();
    await noGroup();
    expect(marks()).toEqual([]);
  });

  test('is none where another device has starred it meanwhile', async () => {
    await openCategory();
    library.control.refuse = (method, relation) =>
      method === 'POST' && relation === 'favorites'
        ? { status: 409, body: { code: '23505', hint: null, message: 'interno', details: null } }
        : null;
    fireEvent.click(screen.getByRole('button', { name: 'Favoritar' }));
    expect(await listed()).toEqual(['Redes']);
    expect(screen.queryByText('Não foi possível favoritar')).toBeNull();
  });

  test('without network is that of every write, and nothing is shown ahead', async () => {
    const connection = createFakeConnection();
    await openCategory({ connection });
    act(() => connection.set(false));
    fireEvent.click(screen.getByRole('button', { name: 'Favoritar' }));
    expect(await screen.findByText('Não foi possível favoritar')).toBeTruthy();
    expect(screen.queryByRole('region', { name: 'Favoritos' })).toBeNull();
  });
});
