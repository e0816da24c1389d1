import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createFakeAuth, fakeSession } from '../../shared/test/create-fake-auth.ts';
import { fakeLibrary } from '../test/fake-library.ts';
import { loadScreens, renderApp } from '../test/render-app.tsx';

let library: ReturnType<typeof fakeLibrary>;
let places: Record<'Redes' | 'Receitas' | 'Viagens', string>;

beforeAll(async () => {
  await loadScreens();
  await Promise.all([
    import('../pages/search-route.tsx'),
    import('./dialogs/organiser-dialog-host.tsx'),
    import('./use-undoable-deletion.ts'),
    import('./favorites/toggle-star.ts'),
    import('../../features/links/components/link-menu.tsx'),
    import('../../features/links/components/form/link-dialog.tsx'),
    import('../../features/links/components/link-info-dialog.tsx'),
    import('../../shared/ui/dialogs/delete-confirmation.tsx'),
  ]);
}, 60_000);

beforeEach(() => {
  library = fakeLibrary();
  const folder = library.add('folders', { name: 'Estudos' });
  const make = (name: string) => String(library.add('categories', { name, folder_id: folder['id'] })['id']);
  places = { Redes: make('Redes'), Receitas: make('Receitas'), Viagens: make('Viagens') };
  const add = (title: string, category_id: string) =>
    library.add('links', { title, url: `https://exemplo.com/${title}`, category_id });
  add('Dado', places.Receitas);
  add('Cabo', places.Redes);
  add('Banco', places.Receitas);
  add('Antena', places.Redes);
  vi.stubGlobal('fetch', library.fetch);
  Element.prototype.scrollIntoView = () => undefined;
  // jsdom lays nothing out.
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
});

const ALL = ['Antena', 'Banco', 'Cabo', 'Dado'];
const titles = () =>
  [...document.querySelectorAll('[data-found-link]')].map(({ textContent }) => textContent);
const ticked = () =>
  screen.queryAllByRole('checkbox', { checked: true }).map(({ textContent }) => textContent);
const stored = (title: string) => library.table('links').find((link) => link['title'] === title);
// By its text as a whole: what was looked for is marked in it.
/** Whatever an earlier test left: this window is left, and comes back. */
const comeBack = () => {
  fireEvent.blur(window);
  fireEvent(document, new Event('visibilitychange', { bubbles: true }));
};
const link = (title: string) => {
  const found = [...document.querySelectorAll<HTMLElement>('[data-found-link]')];
  return found.find(({ textContent }) => textContent === title) ?? screen.getByText(title);
};
const row = (title: string) => link(title).closest('article') as HTMLElement;

async function open(path = '/search') {
  const view = renderApp(path, { auth: createFakeAuth(fakeSession()) });
  await waitFor(() => expect(titles().length).toBeGreaterThan(0));
  return { ...view, user: userEvent.setup() };
}

test('Ctrl and Shift pick results of several categories; a plain press is left to the link', async () => {
  await open();
  expect(titles()).toEqual(ALL);
  expect(fireEvent.click(link('Antena'))).toBe(true);
  expect(ticked()).toEqual([]);
  fireEvent.click(link('Antena'), { ctrlKey: true });
  fireEvent.click(link('Cabo'), { shiftKey: true });
  expect(ticked()).toEqual(['Antena', 'Banco', 'Cabo']);
  // In selection mode the whole row is to tick: no way leads out of it.
  expect(within(row('Dado')).queryByRole('link', { name: 'Receitas' })).toBeNull();
});

test('Ctrl with the press on a category is for that category', async () => {
  await open();
  fireEvent.click(within(row('Banco')).getByRole('link', { name: 'Receitas' }), { ctrlKey: true });
  expect(ticked()).toEqual([]);
});

test('what is picked moves together, and Desfazer brings each link back to where it was', async () => {
  const { user } = await open();
  await user.click(screen.getByRole('button', { name: 'Selecionar' }));
  await user.click(link('Antena'));
  await user.click(link('Banco'));
  await user.click(screen.getByRole('button', { name: 'Mover (2)' }));
  const dialog = await screen.findByRole('dialog', { name: 'Mover 2 links' });
  expect(within(dialog).queryByText('Categoria atual')).toBeNull();
  await user.click(within(dialog).getByRole('option', { name: /Viagens/ }));
  expect(await screen.findByText('2 links movidos para Viagens')).toBeTruthy();
  expect([stored('Antena'), stored('Banco')].map((each) => each?.['category_id'])).toEqual([
    places.Viagens,
    places.Viagens,
  ]);
  await waitFor(() => expect(within(row('Banco')).getByRole('link', { name: 'Viagens' })).toBeTruthy());
  expect(screen.queryByRole('toolbar', { name: 'Seleção' })).toBeNull();

  await user.click(screen.getByRole('button', { name: 'Desfazer' }));
  expect(await screen.findByText('2 links de volta às suas categorias')).toBeTruthy();
  expect([stored('Antena'), stored('Banco')].map((each) => each?.['category_id'])).toEqual([
    places.Redes,
    places.Receitas,
  ]);
});

test('what is deleted goes at once, and Desfazer brings it back', async () => {
  const { user } = await open('/search?q=a');
  const held = Promise.withResolvers<void>();
  library.control.beforeWrite = (relation) =>
    relation === 'rpc/delete_links' ? held.promise : Promise.resolve();
  link('Antena').focus();
  await user.keyboard(' {ArrowDown} {Delete}');
  const dialog = await screen.findByRole('alertdialog');
  expect(within(dialog).getByText('2 links selecionados')).toBeTruthy();
  await user.click(within(dialog).getByRole('button', { name: 'Excluir' }));
  await waitFor(() => expect(titles()).toEqual(['Cabo', 'Dado']));
  held.resolve();
  expect(await screen.findByText('2 links excluídos com sucesso')).toBeTruthy();
  expect(library.table('links')).toHaveLength(2);
  await user.click(screen.getByRole('button', { name: 'Desfazer' }));
  await waitFor(() => expect(titles()).toEqual(ALL));
  expect(library.table('links')).toHaveLength(4);
});

test('a refused deletion puts the result back and says why', async () => {
  const { user } = await open();
  library.control.refuse = (_method, relation) =>
    relation === 'rpc/delete_links' ? { status: 400, body: { code: 'P0001', message: 'nein' } } : null;
  link('Cabo').focus();
  await user.keyboard('{Delete}');
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Excluir' }));
  expect(await screen.findByText('Não foi possível excluir o link')).toBeTruthy();
  await waitFor(() => expect(titles()).toEqual(ALL));
});

test('the menu of a result edits it, tells about it, copies its address and stars it', async () => {
  const { user } = await open();
  const choose = async (title: string, name: string) => {
    await user.click(within(row(title)).getByRole('button', { name: `Ações do link ${title}` }));
    await user.click(await screen.findByRole('menuitem', { name }));
  };
  await choose('Banco', 'Informações');
  const info = await screen.findByRole('dialog', { name: 'Informações do link' });
  expect(within(info).getByText('Receitas')).toBeTruthy();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

  await choose('Cabo', 'Copiar link');
  expect(await screen.findByText('Link copiado para a área de transferência')).toBeTruthy();
  expect(await navigator.clipboard.readText()).toBe('https://exemplo.com/Cabo');

  await choose('Cabo', 'Favoritar');
  await waitFor(() => expect(library.table('favorites')).toHaveLength(1));
  expect(await within(row('Cabo')).findByRole('img', { name: 'Favorito' })).toBeTruthy();

  await choose('Dado', 'Editar');
  const form = await screen.findByRole('dialog', { name: 'Editar Link' });
  const title = within(form).getByLabelText('Título');
  await user.clear(title);
  await user.type(title, 'Dado novo');
  await user.click(within(form).getByRole('button', { name: 'Salvar' }));
  expect(await screen.findByText('Link atualizado com sucesso')).toBeTruthy();
  await waitFor(() => expect(titles()).toEqual(['Antena', 'Banco', 'Cabo', 'Dado novo']));
});

test('Tab reaches one result and its category; with M it moves, and stays found', async () => {
  const { user } = await open();
  link('Antena').focus();
  await user.tab();
  expect(document.activeElement?.textContent).toBe('Redes');
  await user.tab();
  expect(document.activeElement?.closest('article')).toBeNull();
  link('Antena').focus();
  await user.keyboard('m');
  const dialog = await screen.findByRole('dialog', { name: 'Mover link' });
  await user.click(within(dialog).getByRole('option', { name: /Viagens/ }));
  expect(await screen.findByText('Link movido para Viagens')).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(link('Antena')));
  expect(titles()).toEqual(ALL);
});

test('leaving the selection keeps the keyboard among the results', async () => {
  const { user } = await open();
  await user.click(screen.getByRole('button', { name: 'Selecionar' }));
  expect(document.activeElement).toBe(link('Antena'));
  await user.click(screen.getByRole('button', { name: 'Selecionar todos' }));
  expect(ticked()).toEqual(ALL);
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('toolbar', { name: 'Seleção' })).toBeNull();
  expect(ticked()).toEqual([]);
});

test('a page that found nothing shows what is saved meanwhile', async () => {
  localStorage.setItem(`linkoteca-last-category-${fakeSession().user.id}`, places.Redes);
  renderApp('/search?q=Zebra', { auth: createFakeAuth(fakeSession()) });
  await screen.findByText('Nenhum resultado encontrado');
  const getData = (type: string) => (type === 'text/html' ? '' : 'Zebra - https://exemplo.com/zebra');
  fireEvent.paste(document.body, { clipboardData: { getData } });
  fireEvent.click(await screen.findByRole('button', { name: 'Salvar' }));
  await screen.findByText('Link salvo com sucesso');
  await waitFor(() => expect(titles()).toEqual(['Zebra']));
});

test('a form stays with what is typed where another device takes the last result away', async () => {
  const { user } = await open('/search?q=Cabo');
  await user.click(screen.getByRole('button', { name: 'Ações do link Cabo' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Editar' }));
  const form = await screen.findByRole('dialog', { name: 'Editar Link' });
  await user.type(within(form).getByLabelText('Título'), ' novo');
  Object.assign(stored('Cabo') ?? {}, { title: 'Fio', url: 'https://exemplo.com/fio' });
  comeBack();
  expect(await screen.findByText(/· 0 links/)).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Título').value).toBe('Cabo novo');
  await user.click(within(form).getByRole('button', { name: 'Salvar' }));
  await waitFor(() => expect(titles()).toEqual(['Cabo novo']));
});

test('the form of a suggested result stays where the question itself finds something meanwhile', async () => {
  vi.stubGlobal('fetch', async (input: string | URL | Request, init?: RequestInit) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    return pathname.endsWith('/rpc/suggest_search') ? Response.json('Cabo') : library.fetch(input, init);
  });
  renderApp('/search?q=Kabo', { auth: createFakeAuth(fakeSession()) });
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Ações do link Cabo' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Editar' }));
  const form = await screen.findByRole('dialog', { name: 'Editar Link' });
  await user.type(within(form).getByLabelText('Título'), ' novo');
  library.add('links', { title: 'Kabo', url: 'https://exemplo.com/kabo', category_id: places.Redes });
  comeBack();
  expect(await screen.findByText(/· 1 link/)).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Título').value).toBe('Cabo novo');
  await user.click(within(form).getByRole('button', { name: 'Salvar' }));
  await waitFor(() => expect(titles()).toEqual(['Kabo']));
});
