import { samePageKey } from '@linkoteca/domain/same-address';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import axe from 'axe-core';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createFakeAuth, fakeSession } from '../../shared/test/create-fake-auth.ts';
import { createFakeConnection } from '../../shared/test/create-fake-connection.ts';
import { createFakeRealtime } from '../../shared/test/create-fake-realtime.ts';
import { expectConsoleError } from '../../shared/test/setup-browser-tests.ts';
import { beginWithLibrary } from '../test/begin-with-library.ts';
import { renderApp } from '../test/render-app.tsx';

const library = beginWithLibrary(() =>
  Promise.all([import('./repeated-links-page.tsx'), import('./search-route.tsx')]),
);

type Row = Record<string, unknown>;
type Asked = {
  readonly kept: string;
  readonly links: readonly { readonly id: string; readonly updated_at: string }[];
};

/** What was sent, by function. */
let sent: Record<string, Row[]>;
let categories: Record<string, string>;

/** As the service does it, as far as the page tells one thing from another. */
function answer(name: string, body: Row): unknown {
  const links = library.table('links');
  if (name === 'list_repeated_links') {
    const groups = [...Map.groupBy(links, ({ url }) => samePageKey(String(url))).entries()].filter(
      ([, copies]) => copies.length > 1,
    );
    const start = groups.findIndex(([key]) => key === body['before_address']) + 1;
    return groups.slice(start, start + Number(body['max_addresses'])).flatMap(([address, copies]) =>
      copies.toReversed().map((link) => ({
        ...link,
        address,
        newest: copies[0]?.['created_at'],
        address_count: groups.length,
        copy_count: copies.length,
        category_name: Object.keys(categories).find((key) => categories[key] === link['category_id']),
        folder_name: 'Estudos',
        favorite: false,
      })),
    );
  }
  if (name === 'join_repeated_links')
    return (body['joins'] as readonly Asked[]).flatMap(({ kept, links: asked }) => {
      const members = links
        .filter((link) =>
          asked.some(({ id, updated_at: seen }) => id === link['id'] && seen === link['updated_at']),
        )
        .toReversed();
      const [oldest, ...gone] = members;
      const chosen = members.find(({ id }) => id === kept);
      if (oldest === undefined || chosen === undefined || gone.length === 0) return [];
      const was = { ...oldest };
      Object.assign(oldest, { title: chosen['title'] });
      library.tables['links'] = library.table('links').filter((link) => !gone.includes(link));
      return [{ kept, remaining: oldest['id'], gone: gone.map(({ id }) => id), version: 'v', was }];
    });
  return 1;
}

beforeEach(() => {
  sent = {};
  const folder = library.add('folders', { name: 'Estudos' });
  const make = (name: string) => String(library.add('categories', { name, folder_id: folder['id'] })['id']);
  categories = { Redes: make('Redes'), Física: make('Física') };
  const serve = library.fetch;
  vi.stubGlobal('fetch', async (input: string | URL | Request, init?: RequestInit) => {
    const name = /rpc\/(\w*(?:repeated_links|undo_join))$/.exec(
      String(input instanceof Request ? input.url : input),
    )?.[1];
    if (name === undefined) return serve(input, init);
    await library.control.beforeRead(name);
    const refusal = library.control.refuse('POST', name);
    if (refusal) return Response.json(refusal.body, { status: refusal.status });
    const body = JSON.parse(String(init?.body));
    sent[name] = [...(sent[name] ?? []), body];
    return Response.json(answer(name, body));
  });
});

const add = (title: string, url: string, place: 'Redes' | 'Física' = 'Redes') =>
  library.add('links', { title, url, category_id: categories[place], description: `Nota de ${title}` });
function addPairs() {
  add('Velho', 'http://www.a.br/x/');
  add('Novo', 'https://a.br/x?utm_source=y', 'Física');
  add('Um', 'https://b.br');
  add('Outro', 'https://b.br/#parte');
  add('Só', 'https://c.br');
}
function open(options: Parameters<typeof renderApp>[1] = {}) {
  const view = renderApp('/repetidos', { auth: createFakeAuth(fakeSession()), ...options });
  return { ...view, user: userEvent.setup({ delay: null }) };
}
const group = (address: string) =>
  screen.findByRole('group', { name: address }).then((found) => found.closest('li') as HTMLElement);
const titles = () => library.table('links').map(({ title }) => title);

test('shows each address with its links, where each is and since when; the oldest is proposed', async () => {
  addPairs();
  const { container } = open();
  const card = within(await group('a.br/x'));
  expect(screen.getByText('2 endereços repetidos')).toBeTruthy();
  const radios = card.getAllByRole<HTMLInputElement>('radio');
  expect(radios.map(({ checked }) => checked)).toEqual([true, false]);
  expect(radios.map(({ labels }) => labels?.[0]?.textContent)).toEqual(['Velho', 'Novo']);
  expect(card.getByText(/, mais antigo$/)).toBeTruthy();
  expect(card.getByText('Nota de Novo')).toBeTruthy();
  expect(card.getByRole('link', { name: 'Estudos › Física' }).getAttribute('href')).toBe(
    `/category/${categories['Física']}`,
  );
  const { violations } = await axe.run(container, { rules: { 'color-contrast': { enabled: false } } });
  expect(violations.map(({ id }) => id)).toEqual([]);
});

test('joins one address into the chosen link, says so, and takes it back', async () => {
  addPairs();
  const { user } = open();
  const card = await group('a.br/x');
  await user.click(within(card).getByRole('radio', { name: 'Novo' }));
  await user.click(within(card).getByRole('button', { name: 'Juntar: a.br/x, 2 links' }));
  await waitFor(() => expect(card.isConnected).toBe(false));
  expect(await screen.findByText('Links juntados: 1 link foi para a Lixeira')).toBeTruthy();
  expect(titles()).toEqual(['Só', 'Outro', 'Um', 'Novo']);
  // The keyboard is at the next address.
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Juntar: b.br, 2 links');
  await user.click(screen.getByRole('button', { name: 'Desfazer' }));
  expect(await screen.findByText('Links de volta')).toBeTruthy();
  expect(sent['undo_join']?.[0]?.['joins']).toMatchObject([{ gone: [expect.any(String)], version: 'v' }]);
});

test('takes back by the key what the service has not answered yet', async () => {
  addPairs();
  const { user } = open();
  const card = await group('a.br/x');
  const held = Promise.withResolvers<void>();
  library.control.beforeWrite = () => held.promise;
  await user.click(within(card).getByRole('button', { name: 'Juntar: a.br/x, 2 links' }));
  await waitFor(() => expect(card.isConnected).toBe(false));
  await user.keyboard('{Control>}z{/Control}');
  held.resolve();
  expect(await screen.findByText('Links de volta')).toBeTruthy();
  expect(screen.queryByText(/^Links juntados/)).toBeNull();
});

test('joins all that are shown in one call', async () => {
  addPairs();
  const { user } = open();
  await user.click(await screen.findByRole('button', { name: 'Juntar os 2 mostrados' }));
  expect(await screen.findByText('2 endereços juntados: 2 links foram para a Lixeira')).toBeTruthy();
  expect(sent['join_repeated_links']).toHaveLength(1);
  expect(await screen.findByText('Nenhum link repetido')).toBeTruthy();
});

test('goes on page by page, and joins no more at once than the service takes', async () => {
  for (let n = 0; n < 61; n += 1) for (const title of ['A', 'B']) add(`${title}${n}`, `https://x.br/${n}`);
  const { user } = open();
  expect(await screen.findByText('61 endereços repetidos')).toBeTruthy();
  for (const shown of [40, 60]) {
    await user.click(screen.getByRole('button', { name: 'Mostrar mais' }));
    await waitFor(() => expect(document.querySelectorAll('[data-repeated]')).toHaveLength(shown));
  }
  await user.click(screen.getByRole('button', { name: 'Juntar os 50 mostrados' }));
  await waitFor(() => expect(titles()).toHaveLength(72));
});

describe('what happens elsewhere', () => {
  test('is left as it is where it changed since it was shown, and listed again', async () => {
    addPairs();
    const { user } = open();
    const card = await group('a.br/x');
    const changed = library.table('links').find(({ title }) => title === 'Novo');
    Object.assign(changed ?? {}, { title: 'Novíssimo', updated_at: '2026-01-01T00:00:00Z' });
    await user.click(within(card).getByRole('button', { name: /^Juntar/ }));
    expect(await screen.findByText('Estes links mudaram em outro lugar')).toBeTruthy();
    expect(await screen.findByRole('radio', { name: 'Novíssimo' })).toBeTruthy();
    expect(titles()).toContain('Novíssimo');
  });

  test('appears', async () => {
    const realtime = createFakeRealtime();
    open({ realtime: realtime.source });
    expect(await screen.findByText('Nenhum link repetido')).toBeTruthy();
    await waitFor(() => expect(realtime.source.isLive('links')).toBe(true));
    add('Um', 'https://b.br');
    act(() => realtime.tell({ table: 'links', operation: 'INSERT', row: add('Outro', 'https://b.br/') }));
    expect(await group('b.br')).toBeTruthy();
  });
});

describe('what does not come', () => {
  test('is said, and asked again', async () => {
    addPairs();
    library.control.refuse = (_method, name) =>
      name === 'list_repeated_links' ? { status: 400, body: { code: 'PT400', message: 'x' } } : null;
    const { user } = open();
    const retry = await screen.findByRole('button', { name: /Tentar/ });
    library.control.refuse = () => null;
    await user.click(retry);
    expect(await group('a.br/x')).toBeTruthy();
    expectConsoleError(/read failed/);
  });

  test('is told of a refused join, and the address stays', async () => {
    addPairs();
    const { user } = open();
    await group('a.br/x');
    library.control.refuse = (_method, name) =>
      name === 'join_repeated_links' ? { status: 400, body: { code: 'PT400', message: 'x' } } : null;
    await user.click(screen.getByRole('button', { name: 'Juntar os 2 mostrados' }));
    expect(await screen.findByText('Não foi possível juntar os links')).toBeTruthy();
    expect(await group('a.br/x')).toBeTruthy();
    expect(titles()).toHaveLength(5);
  });

  test('without a network says so', async () => {
    open({ connection: createFakeConnection(false) });
    expect(await screen.findByText('Os links repetidos aparecem quando a conexão voltar.')).toBeTruthy();
  });
});

test('the page of all links leads here', async () => {
  addPairs();
  const view = renderApp('/search', { auth: createFakeAuth(fakeSession()) });
  await screen.findByText(/5 links/);
  await userEvent.click(screen.getByRole('link', { name: 'Ver links repetidos' }));
  await waitFor(() => expect(view.path()).toBe('/repetidos'));
  expect(await group('b.br')).toBeTruthy();
});
