import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Link, SearchResult } from '../../../shared/lib/rows.ts';
import type { FakeAnswer, FakeRequest } from '../../../shared/test/create-fake-database.ts';
import { renderWithProviders } from '../../../shared/test/render-with-providers.tsx';
import { sampleLink } from '../../../shared/test/sample-rows.ts';
import { expectConsoleError } from '../../../shared/test/setup-browser-tests.ts';
import { QuickSearch } from './quick-search.tsx';

const result = (id: string, title: string, category_name: string | null = 'Receitas'): SearchResult => ({
  id,
  title,
  description: null,
  url: `https://exemplo.com/${id}`,
  category_id: `categoria-${id}`,
  category_name,
});

const cachedLink = (id: string, title: string, day = 1) =>
  sampleLink({
    id,
    title,
    url: `https://exemplo.com/${id}`,
    category_id: 'redes',
    created_at: `2025-05-${String(day).padStart(2, '0')}T12:00:00Z`,
  });

const folders = [
  {
    id: 'estudos',
    name: 'Estudos',
    categories: [
      { id: 'redes', name: 'Redes' },
      { id: 'fisica', name: 'Física' },
    ],
  },
  { id: 'vazia', name: 'Estante vazia', categories: [] },
];

beforeAll(async () => {
  await Promise.all([
    import('./search-results.tsx'),
    import('../model/complete-operator.ts'),
    import('@linkoteca/domain/search-filters'),
  ]);
}, 60_000);

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  Element.prototype.scrollIntoView = () => undefined;
});

afterEach(() => {
  vi.useRealTimers();
});

interface SetUpOptions {
  readonly links?: readonly (readonly Link[])[];
  readonly shownTerm?: string;
  /** What the service suggests instead of a term that finds nothing. */
  readonly suggestion?: string;
}

async function setUp(
  respond: (term: string) => FakeAnswer | Promise<FakeAnswer>,
  { links = [], shownTerm = '', suggestion }: SetUpOptions = {},
) {
  const cached = {
    folders,
    listLinks: () => links,
    isFavorite: (id: string) => id === 'estrela',
    listTags: () => [],
  };
  const onOpen = vi.fn();
  const onShowAll = vi.fn();
  const onIntend = vi.fn();
  const requests: FakeRequest[] = [];
  await renderWithProviders(
    <>
      <button type="button">antes</button>
      <QuickSearch
        cached={cached}
        shownTerm={shownTerm}
        onOpen={onOpen}
        onShowAll={onShowAll}
        onIntend={onIntend}
        allResultsPath={(term) => `/search?q=${term}`}
      />
    </>,
    {
      respond: (request) => {
        if (request.path === 'rpc/suggest_search') return { body: suggestion ?? null };
        requests.push(request);
        return respond((request.body as { term: string }).term);
      },
    },
  );
  // The idle moment in which what shows below the field is fetched.
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  const field = screen.getByRole('combobox', { name: 'Buscar links' }) as HTMLInputElement;
  const type = (text: string) => {
    act(() => field.focus());
    fireEvent.change(field, { target: { value: text } });
  };
  const rest = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  const press = (key: string, modifiers = {}) => fireEvent.keyDown(field, { key, ...modifiers });
  const titles = () =>
    screen.queryAllByRole('option').map((option) => option.id.replace(/^.*-(link|place)-/, ''));
  const chosen = () => screen.queryAllByRole('option', { selected: true }).map((option) => option.id);
  return { onOpen, onShowAll, onIntend, requests, field, type, rest, press, titles, chosen };
}

test('nothing is asked before 300 ms of silence, and then once, trimmed', async () => {
  const { type, rest, requests } = await setUp(() => ({ body: [] }));
  type('b');
  await rest(200);
  type('bo');
  await rest(200);
  type('  bolo ');
  await rest(250);
  expect(requests).toEqual([]);
  await rest(100);
  expect(requests.map((request) => [request.path, request.body])).toEqual([
    ['rpc/search_links', { term: 'bolo', max_results: 10 }],
  ]);
  expect(await screen.findByText('Nenhum resultado encontrado')).toBeTruthy();
  expect(screen.getAllByText('Resultados da busca').length).toBeGreaterThan(0);
});

test('blanks ask nothing and show nothing', async () => {
  const { type, rest, requests } = await setUp(() => ({ body: [] }));
  type('   ');
  await rest(1000);
  expect(requests).toEqual([]);
  expect(screen.queryByText('Resultados da busca')).toBeNull();
});

test('an answer that comes late never shows below a newer term', async () => {
  const waiting = new Map<string, (answer: FakeAnswer) => void>();
  const { type, rest } = await setUp((term) => new Promise((resolve) => waiting.set(term, resolve)));
  type('velho');
  await rest(400);
  type('novo');
  await rest(400);
  await act(async () => waiting.get('novo')?.({ body: [result('2', 'O novo')] }));
  expect(await screen.findByRole('option', { name: /novo/ })).toBeTruthy();
  await act(async () => waiting.get('velho')?.({ body: [result('1', 'O velho')] }));
  await rest(100);
  expect(screen.queryByText('velho')).toBeNull();
  expect(screen.getAllByRole('option')).toHaveLength(1);
});

test('matches stand out without regard to case and accents; an unknown category is named so', async () => {
  const { type, rest } = await setUp(() => ({ body: [result('1', 'A Ação do coração', null)] }));
  type('acao');
  await rest(400);
  const option = await screen.findByRole('option');
  expect([...option.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual(['Ação', 'ação']);
  expect(option.textContent).toContain('Categoria desconhecida');
});

test('a spinner shows while the answer is on its way', async () => {
  const { type, rest } = await setUp(() => new Promise(() => undefined));
  type('bolo');
  expect(screen.getByText('Buscando...')).toBeTruthy();
  await rest(400);
  expect(screen.getByText('Buscando...')).toBeTruthy();
  expect(screen.queryByText('Nenhum resultado encontrado')).toBeNull();
});

test('a press opens the category and clears the search', async () => {
  const { type, rest, field, onOpen } = await setUp(() => ({ body: [result('1', 'Bolo')] }));
  type('bolo');
  await rest(400);
  fireEvent.click(await screen.findByRole('option'));
  expect(onOpen).toHaveBeenCalledExactlyOnceWith({ categoryId: 'categoria-1', linkId: '1' });
  expect(field.value).toBe('');
  expect(screen.queryByRole('option')).toBeNull();
});

test('arrows choose, Ctrl+Enter opens the category, Esc closes and then empties', async () => {
  const { type, rest, press, field, onOpen } = await setUp(() => ({
    body: [result('1', 'Um'), result('2', 'Dois')],
  }));
  type('o');
  await rest(400);
  await screen.findAllByRole('option');
  press('ArrowDown');
  press('ArrowDown');
  expect(screen.getAllByRole('option', { selected: true }).map((option) => option.id)).toEqual([
    field.getAttribute('aria-activedescendant'),
  ]);
  press('Escape');
  expect(field.getAttribute('aria-expanded')).toBe('false');
  expect(field.value).toBe('o');
  press('ArrowDown');
  expect(field.getAttribute('aria-expanded')).toBe('true');
  press('Escape');
  press('Escape');
  expect(field.value).toBe('');

  type('o');
  await rest(400);
  await screen.findAllByRole('option');
  press('ArrowUp');
  press('ArrowUp');
  press('Enter', { ctrlKey: true });
  expect(onOpen).toHaveBeenCalledTimes(1);
  expect(field.value).toBe('');
});

test('Home and End go to the first and the last, once a row is chosen; till then they belong to the text', async () => {
  const { type, rest, press, titles, chosen, field } = await setUp(() => ({
    body: [result('1', 'Um'), result('2', 'Dois'), result('3', 'Três')],
  }));
  type('xyz');
  await rest(400);
  await screen.findAllByRole('option');
  expect(press('End')).toBe(true);
  expect(chosen()).toEqual([]);
  press('ArrowDown');
  expect(press('End')).toBe(false);
  expect(field.getAttribute('aria-activedescendant')).toMatch(/-link-3$/);
  press('Home');
  expect(field.getAttribute('aria-activedescendant')).toMatch(/-link-1$/);
  expect(titles()).toEqual(['1', '2', '3']);
});

test('Enter without a choice, and Shift+Enter with one, show all results', async () => {
  const { type, rest, press, onOpen, onShowAll } = await setUp(() => ({ body: [result('1', 'Um')] }));
  type(' um ');
  press('Enter');
  expect(onShowAll).toHaveBeenLastCalledWith('um');
  type('outro');
  await rest(400);
  await screen.findByRole('option');
  press('ArrowDown');
  press('Enter', { shiftKey: true });
  expect(onShowAll).toHaveBeenLastCalledWith('outro');
  expect(onOpen).not.toHaveBeenCalled();
});

test('the category of the row one is on is told ahead, and none once the search is left', async () => {
  const { type, rest, press, onIntend } = await setUp(() => ({
    body: [result('1', 'Um'), result('2', 'Outro um')],
  }));
  type('um');
  await rest(400);
  const options = await screen.findAllByRole('option');
  press('ArrowDown');
  expect(onIntend).toHaveBeenLastCalledWith('categoria-1');
  fireEvent.pointerMove(options[1] ?? document.body);
  expect(onIntend).toHaveBeenLastCalledWith('categoria-2');
  press('Escape');
  expect(onIntend).toHaveBeenLastCalledWith(null);
});

test('Enter and a press with Ctrl open the link itself, and the search stays', async () => {
  const open = vi.spyOn(window, 'open').mockReturnValue(null);
  const { type, rest, press, field, onOpen, onShowAll } = await setUp(() => ({ body: [result('1', 'Um')] }));
  type('um');
  await rest(400);
  const option = await screen.findByRole('option');
  press('Enter', { ctrlKey: true });
  expect(open).not.toHaveBeenCalled();
  press('ArrowDown');
  press('Enter');
  fireEvent.click(option, { ctrlKey: true });
  expect(open.mock.calls).toEqual(Array(2).fill(['https://exemplo.com/1', '_blank', 'noopener,noreferrer']));
  expect([onOpen.mock.calls, onShowAll.mock.calls, field.value]).toEqual([[], [], 'um']);
});

test('Esc in the emptied field gives focus back to where it came from', async () => {
  const { type, press, field } = await setUp(() => ({ body: [] }));
  const before = screen.getByRole('button', { name: 'antes' });
  act(() => before.focus());
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
  type('x');
  press('Escape');
  expect(document.activeElement).toBe(field);
  press('Escape');
  expect(field.value).toBe('');
  expect(document.activeElement).toBe(before);
});

test('what the browser holds shows at once, what is named so first, with its category', async () => {
  const { type, titles, requests } = await setUp(() => ({ body: [] }), {
    links: [[cachedLink('b', 'Ação B', 2)], [cachedLink('c', 'Reação C', 3), cachedLink('a', 'outra', 1)]],
  });
  type('ACAO');
  expect(titles()).toEqual(['b', 'c']);
  expect(screen.getAllByRole('option')[0]?.textContent).toContain('Redes');
  expect(screen.getByText('Buscando...')).toBeTruthy();
  expect(requests).toEqual([]);
});

test('the service completes it below, and nothing changes its place', async () => {
  const { type, rest, titles, press, chosen } = await setUp(
    () => ({ body: [result('novo', 'Ação nova'), result('a', 'Ação A, de novo')] }),
    { links: [[cachedLink('a', 'Ação A')]] },
  );
  type('acao');
  expect(titles()).toEqual(['a']);
  press('ArrowDown');
  const before = chosen();
  await rest(400);
  await screen.findByText(/de novo/);
  expect(titles()).toEqual(['a', 'novo']);
  expect(chosen()).toEqual(before);
  await rest(100);
  expect(screen.getByText('2 resultados')).toBeTruthy();
});

test('what is cached takes five of the ten places, and all when the service does not answer', async () => {
  let fail = false;
  const { type, rest, titles } = await setUp(
    () =>
      fail
        ? { status: 400, body: { code: 'XX000', message: 'interno', details: null, hint: null } }
        : { body: [...'klmnopqrst'].map((id) => result(id, `Nota ${id}`)) },
    { links: [[...'abcdefgh'].map((id, index) => cachedLink(id, `Nota ${id}`, 9 - index))] },
  );
  type('nota');
  expect(titles().join('')).toBe('abcde');
  await rest(400);
  await waitFor(() => expect(titles().join('')).toBe('abcdeklmno'));
  fail = true;
  type('');
  type('not');
  await rest(3000);
  await waitFor(() => expect(titles().join('')).toBe('abcdefgh'));
  expect(screen.getByText(/Só o que este navegador já tinha/)).toBeTruthy();
  expectConsoleError(/read failed/);
});

test('a cached link that a complete answer does not name has gone', async () => {
  const { type, rest, titles } = await setUp(() => ({ body: [result('b', 'Ação B')] }), {
    links: [[cachedLink('a', 'Ação A')]],
  });
  type('acao');
  expect(titles()).toEqual(['a']);
  await rest(400);
  await screen.findByText(/B/);
  expect(titles()).toEqual(['b']);
});

test('letters added to a term narrow its answer at once', async () => {
  const { type, rest, titles } = await setUp((term) =>
    term === 'bo' ? { body: [result('1', 'Bolo'), result('2', 'Bota')] } : new Promise(() => undefined),
  );
  type('bo');
  await rest(400);
  await screen.findAllByRole('option');
  type('bol');
  expect(titles()).toEqual(['1']);
  type('');
  type('bol');
  expect(titles()).toEqual([]);
});

test('folders and categories of that name stand above the links, and open', async () => {
  const { type, press, titles, onOpen } = await setUp(() => ({ body: [] }), {
    links: [[cachedLink('a', 'Fis')]],
  });
  type('fis');
  expect(titles()).toEqual(['fisica', 'a']);
  expect(screen.getByRole('group', { name: 'Pastas e categorias' }).textContent).toContain('em Estudos');
  press('ArrowDown');
  press('Enter');
  expect(onOpen).toHaveBeenLastCalledWith({ categoryId: 'fisica', linkId: null });
  type('est');
  expect(titles()).toEqual(['estudos']);
  fireEvent.click(screen.getByRole('option'));
  expect(onOpen).toHaveBeenLastCalledWith({ categoryId: 'redes', linkId: null });
});

test("the search page's term stands in the field and is not searched until it changes", async () => {
  const { field, type, rest, requests } = await setUp(() => ({ body: [] }), { shownTerm: 'bolo' });
  expect(field.value).toBe('bolo');
  act(() => field.focus());
  await rest(400);
  expect([requests, field.getAttribute('aria-expanded')]).toEqual([[], 'false']);
  type('bola');
  await rest(400);
  expect(requests).toHaveLength(1);
  expect(field.getAttribute('aria-expanded')).toBe('true');
});

test('all results are a link away', async () => {
  const { type, onShowAll } = await setUp(() => ({ body: [] }), { links: [[cachedLink('a', 'Um')]] });
  type('um');
  const link = screen.getByRole('link', { name: 'Ver todos os resultados' });
  expect(link.getAttribute('href')).toBe('/search?q=um');
  fireEvent.click(link);
  expect(onShowAll).toHaveBeenCalledExactlyOnceWith('um');
  expect(screen.queryByRole('option')).toBeNull();
});

test('on a phone it covers the bar until the way back is pressed', async () => {
  const wide = window.matchMedia;
  window.matchMedia = (query) => ({ ...wide(query), matches: true }) as MediaQueryList;
  const { type, field } = await setUp(() => ({ body: [] }), { links: [[cachedLink('a', 'Um')]] });
  expect(screen.queryByRole('button', { name: 'Fechar busca' })).toBeNull();
  type('um');
  // The keyboard is put away to read the results.
  act(() => field.blur());
  expect(screen.getByRole('option')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Fechar busca' }));
  expect(field.value).toBe('');
  expect(screen.queryByRole('option')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Fechar busca' })).toBeNull();
});

test('a failure is said once, and the field works on', async () => {
  let fail = true;
  const { type, rest } = await setUp(() =>
    fail
      ? { status: 500, body: { code: 'XX000', message: 'interno', details: null, hint: null } }
      : { body: [result('1', 'Bolo')] },
  );
  type('bolo');
  await rest(400);
  await rest(3000);
  expect(await screen.findAllByText('Erro na busca')).toHaveLength(1);
  expect(screen.getByText('Não foi possível realizar a busca. Tente novamente.')).toBeTruthy();
  expect(screen.queryByText('Nenhum resultado encontrado')).toBeNull();
  fail = false;
  fireEvent.click(screen.getByRole('button', { name: 'Tentar de novo' }));
  expect(await screen.findByRole('option')).toBeTruthy();
  expectConsoleError(/read failed/);
});

test("'/' and Ctrl+K reach the field; '/' typed into another field does not", async () => {
  const { field } = await setUp(() => ({ body: [] }));
  fireEvent.keyDown(document.body, { key: '/' });
  expect(document.activeElement).toBe(field);
  act(() => field.blur());
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
  expect(document.activeElement).toBe(field);

  const other = document.body.appendChild(document.createElement('input'));
  act(() => other.focus());
  fireEvent.keyDown(other, { key: '/' });
  expect(document.activeElement).toBe(other);
  fireEvent.keyDown(other, { key: 'k', ctrlKey: true });
  expect(document.activeElement).toBe(field);
  other.remove();
});

test('the clear button empties the field and keeps it', async () => {
  const { type, field } = await setUp(() => ({ body: [] }));
  type('bolo');
  fireEvent.click(screen.getByRole('button', { name: 'Limpar busca' }));
  expect(field.value).toBe('');
  await waitFor(() => expect(document.activeElement).toBe(field));
});

test('where nothing is found another spelling is offered, with what it finds; choosing it searches for that', async () => {
  const { type, rest, titles, press, field, requests } = await setUp(
    (term) => ({ body: term === 'receita' ? [result('1', 'Receita de bolo')] : [] }),
    { suggestion: 'receita' },
  );
  type('receta');
  await rest(400);
  const option = await screen.findByRole('option', { name: 'Você quis dizer “receita”?' });
  expect(await screen.findByText('Links com “receita”')).toBeTruthy();
  expect(titles()).toHaveLength(2);
  expect(screen.getByText(/^Nenhum resultado encontrado/)).toBeTruthy();
  expect(screen.queryByText('Ver todos os resultados')).toBeNull();
  expect(option.getAttribute('aria-selected')).toBe('false');
  press('ArrowDown');
  expect(option.getAttribute('aria-selected')).toBe('true');
  press('Enter');
  expect(field.value).toBe('receita');
  expect(document.activeElement).toBe(field);
  await rest(400);
  await waitFor(() => expect(titles()).toEqual(['1']));
  expect(screen.queryByText(/Você quis dizer/)).toBeNull();
  expect(requests.map(({ body }) => (body as { term: string }).term)).toContain('receita');
});

test('what finds something is offered no other spelling', async () => {
  const { type, rest } = await setUp(() => ({ body: [result('1', 'Bolo')] }), { suggestion: 'outra' });
  type('bolo');
  await rest(400);
  expect(await screen.findByRole('option')).toBeTruthy();
  await rest(400);
  expect(screen.queryByText(/Você quis dizer/)).toBeNull();
});

const kept = (id: string, title: string, fields: Partial<Link> = {}) => ({
  ...cachedLink(id, title),
  ...fields,
});

test('operators narrow what the browser holds at once, and what the service is asked', async () => {
  const { type, rest, titles, requests } = await setUp(() => ({ body: [] }), {
    links: [
      [
        kept('2', 'Bolo novo', { created_at: '2025-06-01T12:00:00Z' }),
        kept('1', 'Bolo velho', { created_at: '2023-05-01T12:00:00Z' }),
        kept('3', 'Bolo alheio', { category_id: 'fisica', created_at: '2023-04-01T12:00:00Z' }),
      ],
    ],
  });
  type('bolo em:redes antes:2024');
  await rest(10);
  expect(titles()).toEqual(['1']);
  const chips = screen.getByRole('list', { name: 'Filtros da busca' });
  expect(chips.textContent).toContain('em:redes');
  await rest(400);
  expect(requests.map(({ path, body }) => [path, body])).toEqual([
    [
      'rpc/search_links_by',
      {
        term: 'bolo',
        category: 'redes',
        saved_before: new Date(2024, 0, 1).toISOString(),
        max_results: 10,
      },
    ],
  ]);
});

test('a star is known here as well', async () => {
  const { type, rest, titles } = await setUp(() => ({ body: [] }), {
    links: [[kept('estrela', 'Bolo'), kept('2', 'Bolo')]],
  });
  type('é:favorito');
  await rest(10);
  expect(titles()).toEqual(['estrela']);
});

test('a chip is taken out by its cross, and the field keeps the rest and the focus', async () => {
  const { type, field } = await setUp(() => ({ body: [] }));
  type('bolo site:a.br antes:2024');
  fireEvent.click(screen.getByRole('button', { name: 'Tirar site:a.br da busca' }));
  expect(field.value).toBe('bolo antes:2024');
  expect(document.activeElement).toBe(field);
  expect(screen.queryByRole('button', { name: 'Tirar site:a.br da busca' })).toBeNull();
});

test('what is wrong is said; what is still being typed is not, and asks nothing', async () => {
  const { type, rest, requests } = await setUp(() => ({ body: [] }));
  type('antes:32/13/2024');
  expect(screen.getByText(/“antes:32\/13\/2024” não é uma data/)).toBeTruthy();
  type('antes:32/1');
  expect(screen.queryByText(/não é uma data/)).toBeNull();
  type('tipo:pdf tipo:imagem bolo');
  expect(screen.getByText('“tipo:pdf” não conta: só o último vale')).toBeTruthy();
  expect(screen.getByRole('list', { name: 'Filtros da busca' }).textContent).toBe('tipo:imagem');
  type('em:xyz bolo');
  expect(screen.getByText('Nenhuma categoria se chama “xyz”')).toBeTruthy();
  type('site:');
  await rest(1000);
  expect(requests.filter(({ body }) => (body as { term: string }).term === 'site:')).toEqual([]);
  expect(screen.queryByText('Nenhum resultado encontrado')).toBeNull();
});

test('an operator is completed with the keyboard, and by a press', async () => {
  const { type, field, press, titles } = await setUp(() => ({ body: [] }));
  type('bolo em:f');
  expect(await screen.findByRole('group', { name: 'Refinar a busca' })).toBeTruthy();
  press('ArrowDown');
  expect(screen.getByRole('option', { selected: true }).textContent).toBe('em:Física');
  press('Enter');
  expect(field.value).toBe('bolo em:Física ');
  expect(titles()).toEqual([]);
  type('bolo tipo:');
  fireEvent.click(screen.getByRole('option', { name: 'tipo:imagem' }));
  expect(field.value).toBe('bolo tipo:imagem ');
  expect(document.activeElement).toBe(field);
});
