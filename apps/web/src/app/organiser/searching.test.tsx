import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createFakeAuth, fakeSession } from '../../shared/test/create-fake-auth.ts';
import { expectConsoleError } from '../../shared/test/setup-browser-tests.ts';
import { fakeLibrary } from '../test/fake-library.ts';
import { loadScreens, renderApp } from '../test/render-app.tsx';

let library: ReturnType<typeof fakeLibrary>;
let answered: readonly object[];
let asked: { readonly term: string; readonly page?: number }[];
let suggestion: string | null;
let found: (request: { readonly term: string; readonly page?: number }) => readonly object[];

const CATEGORY_ID = '22222222-2222-4222-8222-222222222222';

const result = (number: number, title = `Ação ${number}`) => ({
  id: `link-${number}`,
  title,
  description: null,
  url: `https://exemplo.com/${number}`,
  category_id: CATEGORY_ID,
  category_name: 'Redes',
});
const results = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => result(from + index));

const asRow = (hit: object) => ({
  ...hit,
  user_id: fakeSession().user.id,
  created_at: '2025-05-11T12:00:00Z',
  updated_at: '2025-05-11T12:00:00Z',
  categories: { name: 'Redes' },
});

beforeAll(async () => {
  await loadScreens();
  await Promise.all([
    import('../pages/search-route.tsx'),
    import('./search/search-extras.tsx'),
    import('../../features/search/components/search-results.tsx'),
  ]);
}, 60_000);

beforeEach(() => {
  library = fakeLibrary();
  asked = [];
  found = () => [];
  suggestion = null;
  vi.stubGlobal('fetch', async (input: string | URL | Request, init?: RequestInit) => {
    const url = new URL(input instanceof Request ? input.url : input);
    // The page reads the whole rows of what was found.
    if (url.pathname.endsWith('/links') && url.searchParams.get('id')?.startsWith('in.'))
      return Response.json(answered.map(asRow));
    if (url.pathname.endsWith('/rpc/suggest_search')) return Response.json(suggestion);
    if (!/rpc\/search_links(_by)?$/.test(url.pathname)) return library.fetch(input, init);
    const request = JSON.parse(String(init?.body));
    asked.push(request);
    answered = found(request);
    return Response.json(answered);
  });
  Element.prototype.scrollIntoView = () => undefined;
  // jsdom lays nothing out; the list of links needs to know how large its window is.
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
});

function open(path: string) {
  return { ...renderApp(path, { auth: createFakeAuth(fakeSession()) }), user: userEvent.setup() };
}

// Not by role: with fifty rows that takes jsdom seconds.
const titles = () =>
  [...document.querySelectorAll('[data-found-link]')].map(({ textContent }) => textContent);
const current = () => screen.getByText(/^Página \d+$/).textContent;

test('the search page turns its pages by the address, and back and forward follow', async () => {
  found = ({ page = 1 }) => results(page * 50 - 49, Math.min(page * 50, 70));
  const { user, path, history } = open('/search?q=acao&page=1');
  await waitFor(() => expect(titles()).toHaveLength(50));
  expect(document.title).toContain('Busca: acao');
  expect(asked[0]).toEqual({ term: 'acao', max_results: 50, page: 1 });
  expect(screen.getByRole('link', { name: 'Anterior' }).getAttribute('aria-disabled')).toBe('true');

  await user.click(screen.getByRole('link', { name: 'Próxima' }));
  await waitFor(() => expect(titles()).toHaveLength(20));
  expect(path()).toBe('/search?q=acao&page=2');
  expect(current()).toBe('Página 2');
  expect(screen.getByRole('link', { name: 'Próxima' }).getAttribute('aria-disabled')).toBe('true');

  history.back();
  await waitFor(() => expect(current()).toBe('Página 1'));
  expect(titles()[0]).toBe('Ação 1');
  history.forward();
  await waitFor(() => expect(current()).toBe('Página 2'));
});

test('fifty results that are all there is have no second page', async () => {
  found = ({ page = 1 }) => (page === 1 ? results(1, 50) : []);
  open('/search?q=acao');
  await waitFor(() => expect(titles()).toHaveLength(50));
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Próxima' })).toBeNull());
});

test('a result opens its link in a new tab, or its category; arrows walk from one to the next', async () => {
  found = () => results(1, 3);
  const folder = library.add('folders', { name: 'Estudos' });
  library.add('categories', { id: CATEGORY_ID, name: 'Redes', folder_id: folder['id'] });
  const { user, path } = open('/search?q=acao');
  await waitFor(() => expect(titles()).toHaveLength(3));
  const links = screen.getAllByRole('link', { name: /^Ação/ });
  expect(links[0]?.getAttribute('href')).toBe('https://exemplo.com/1');
  expect([links[0]?.getAttribute('target'), links[0]?.getAttribute('rel')]).toEqual([
    '_blank',
    'noopener noreferrer',
  ]);
  links[0]?.focus();
  await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}');
  expect(document.activeElement).toBe(links[2]);
  await user.keyboard('{Home}');
  expect(document.activeElement).toBe(links[0]);
  expect(document.querySelectorAll('mark')).toHaveLength(3);

  const row = screen.getAllByRole('article')[0] as HTMLElement;
  await user.click(within(row).getByRole('link', { name: 'Redes' }));
  await waitFor(() => expect(path()).toBe(`/category/${CATEGORY_ID}`));
});

test('a number is a term like any other', async () => {
  found = () => [result(1, 'Lei 123')];
  open('/search?q=123');
  await waitFor(() => expect(titles()).toEqual(['Lei 123']));
  expect(asked[0]?.term).toBe('123');
});

test('without a term it shows all links, newest first', async () => {
  const folder = library.add('folders', { name: 'Estudos' });
  const category = library.add('categories', { name: 'Redes', folder_id: folder['id'] });
  for (const title of ['Velho', 'Novo'])
    library.add('links', {
      title,
      url: 'https://exemplo.com',
      category_id: category['id'],
    });
  open('/search');
  await waitFor(() => expect(titles()).toEqual(['Novo', 'Velho']));
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Todos os links');
  expect(asked).toEqual([]);
});

test('a page that finds nothing says so, and one past the end leads back', async () => {
  const { user, path } = open('/search?q=nada&page=7');
  await user.click(await screen.findByRole('link', { name: 'Ir para a primeira página' }));
  expect(await screen.findByText('Nenhum resultado encontrado')).toBeTruthy();
  expect(path()).toBe('/search?q=nada&page=1');
});

test('a failure says so and can be tried again', async () => {
  found = () => {
    throw new TypeError('Failed to fetch');
  };
  const { user } = open('/search?q=acao');
  expect(await screen.findByText('Não foi possível realizar a busca. Tente novamente.')).toBeTruthy();
  found = () => results(1, 2);
  await user.click(screen.getByRole('button', { name: 'Tentar de novo' }));
  await waitFor(() => expect(titles()).toHaveLength(2));
  expectConsoleError(/read failed/);
});

test('a chosen link is found in its category, each time it is chosen', async () => {
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(800);
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(1000);
  const folder = library.add('folders', { name: 'Estudos' });
  library.add('categories', { id: CATEGORY_ID, name: 'Redes', folder_id: folder['id'] });
  for (const number of [1, 2, 3])
    library.add('links', { ...result(number), title: `Nota ${number}`, category_id: CATEGORY_ID });
  found = () => [result(1, 'Nota 1')];
  const { user, path } = open('/dashboard');
  const field = await screen.findByRole('combobox', { name: 'Buscar links' });
  const choose = async () => {
    await user.click(field);
    await user.keyboard('nota 1');
    await user.click(await screen.findByRole('option'));
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Nota 1'));
    expect(document.activeElement?.getAttribute('href')).toBe('https://exemplo.com/1');
  };
  await choose();
  expect(path()).toBe(`/category/${CATEGORY_ID}`);
  await choose();
});

test('from the field: what the browser holds at once, all results with Enter, the term stays', async () => {
  found = ({ page }) => (page === undefined ? results(1, 2) : results(1, 3));
  const folder = library.add('folders', { name: 'Estudos' });
  library.add('categories', { id: CATEGORY_ID, name: 'Redes', folder_id: folder['id'] });
  library.add('links', {
    id: 'link-9',
    title: 'Ação guardada',
    url: 'https://exemplo.com',
    category_id: CATEGORY_ID,
  });
  const { user, path } = open(`/category/${CATEGORY_ID}`);
  await screen.findByRole('treeitem', { name: 'Redes' });
  await waitFor(() => expect(screen.queryByText('Carregando links...')).toBeNull());

  const field = screen.getByRole('combobox', { name: 'Buscar links' }) as HTMLInputElement;
  await user.click(field);
  await user.keyboard('guarda');
  const [first] = await screen.findAllByRole('option');
  expect(first?.textContent).toContain('Ação guardada');

  await user.keyboard('{Enter}');
  await waitFor(() => expect(path()).toBe('/search?q=guarda&page=1'));
  await waitFor(() => expect(titles()).toHaveLength(3));
  expect(field.value).toBe('guarda');
  expect(document.activeElement).not.toBe(field);
  expect(screen.queryByRole('option')).toBeNull();
});

test('a page without results offers another spelling and shows what it finds, marked as such', async () => {
  suggestion = 'ação';
  found = ({ term }) => (term === 'ação' ? results(1, 2) : []);
  const { user, path } = open('/search?q=asao&page=1');
  const offer = await screen.findByRole('link', { name: 'Você quis dizer “ação”?' });
  expect(screen.getByText('Nenhum resultado encontrado')).toBeTruthy();
  expect(await screen.findByRole('heading', { name: 'Links com “ação”' })).toBeTruthy();
  await waitFor(() => expect(titles()).toEqual(['Ação 1', 'Ação 2']));
  await user.click(offer);
  await waitFor(() => expect(path()).toBe(`/search?q=${encodeURIComponent('ação')}&page=1`));
  await waitFor(() => expect(titles()).toEqual(['Ação 1', 'Ação 2']));
  expect(screen.queryByText(/Você quis dizer/)).toBeNull();
});

test('operators stand above the results as chips; a press takes one out of the address', async () => {
  found = () => results(1, 1);
  const { user, path } = open(`/search?q=${encodeURIComponent('ação em:redes antes:32/13/2024')}&page=1`);
  await waitFor(() => expect(titles()).toEqual(['Ação 1']));
  expect(asked[0]).toEqual({ term: 'ação', category: 'redes', max_results: 50, page: 1 });
  expect(screen.getByText(/“antes:32\/13\/2024” não é uma data/)).toBeTruthy();
  expect(screen.getByText('Ação', { selector: 'mark' })).toBeTruthy();
  await user.click(screen.getByRole('link', { name: 'Tirar em:redes da busca' }));
  await waitFor(() =>
    expect(decodeURIComponent(path()).replaceAll('+', ' ')).toBe('/search?q=ação antes:32/13/2024&page=1'),
  );
});
