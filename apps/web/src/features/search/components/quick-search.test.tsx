import type { SearchResult } from '@linkoteca/domain/entities';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FakeAnswer, FakeRequest } from '../../../shared/test/create-fake-database.ts';
import { renderWithProviders } from '../../../shared/test/render-with-providers.tsx';
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

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  Element.prototype.scrollIntoView = () => undefined;
});

afterEach(() => {
  vi.useRealTimers();
});

async function setUp(respond: (term: string) => FakeAnswer | Promise<FakeAnswer>) {
  const onOpenCategory = vi.fn();
  const requests: FakeRequest[] = [];
  await renderWithProviders(<QuickSearch onOpenCategory={onOpenCategory} />, {
    respond: (request) => {
      requests.push(request);
      return respond((request.body as { term: string }).term);
    },
  });
  const field = screen.getByRole('combobox', { name: 'Buscar links' }) as HTMLInputElement;
  const type = (text: string) => {
    act(() => field.focus());
    fireEvent.change(field, { target: { value: text } });
  };
  const rest = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  const press = (key: string) => fireEvent.keyDown(field, { key });
  return { onOpenCategory, requests, field, type, rest, press };
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
  const { type, rest, field, onOpenCategory } = await setUp(() => ({ body: [result('1', 'Bolo')] }));
  type('bolo');
  await rest(400);
  fireEvent.click(await screen.findByRole('option'));
  expect(onOpenCategory).toHaveBeenCalledExactlyOnceWith('categoria-1');
  expect(field.value).toBe('');
  expect(screen.queryByRole('option')).toBeNull();
});

test('arrows choose, Enter opens, Esc closes and then empties', async () => {
  const { type, rest, press, field, onOpenCategory } = await setUp(() => ({
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
  press('ArrowUp');
  press('ArrowDown');
  press('ArrowDown');
  press('ArrowUp');
  press('Enter');
  expect(onOpenCategory).toHaveBeenCalledTimes(1);
  press('Escape');
  expect(field.value).toBe('');
});

test('Enter before the answer opens nothing of an older term', async () => {
  const { type, rest, press, onOpenCategory } = await setUp(() => ({ body: [result('1', 'Um')] }));
  type('um');
  await rest(400);
  await screen.findByRole('option');
  type('outro');
  press('Enter');
  expect(onOpenCategory).not.toHaveBeenCalled();
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
  fail = false;
  type('bolo de maçã');
  await rest(400);
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
  other.remove();
});

test('the clear button empties the field and keeps it', async () => {
  const { type, field } = await setUp(() => ({ body: [] }));
  type('bolo');
  fireEvent.click(screen.getByRole('button', { name: 'Limpar busca' }));
  expect(field.value).toBe('');
  await waitFor(() => expect(document.activeElement).toBe(field));
});
