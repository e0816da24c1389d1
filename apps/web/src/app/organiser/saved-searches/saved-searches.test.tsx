import 'fake-indexeddb/auto';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { wipePersistedQueries } from '../../../shared/lib/query-persistence/query-store.ts';
import { createFakeAuth, fakeSession } from '../../../shared/test/create-fake-auth.ts';
import { createFakeConnection } from '../../../shared/test/create-fake-connection.ts';
import { createFakeRealtime } from '../../../shared/test/create-fake-realtime.ts';
import { beginWithLibrary } from '../../test/begin-with-library.ts';
import { renderApp } from '../../test/render-app.tsx';

const library = beginWithLibrary(() =>
  Promise.all([
    import('./saved-searches-panel.tsx'),
    import('./save-search.tsx'),
    import('../../pages/search-route.tsx'),
    import('../../../features/search/components/search-results.tsx'),
    import('../../../shared/ui/menus/anchored-menu-popup.tsx'),
    import('@linkoteca/domain/search-filters'),
  ]),
);

/** Calls that count, as many questions as each of them had. */
let counted: number[];
beforeEach(() => {
  localStorage.clear();
  counted = [];
  vi.useFakeTimers({ shouldAdvanceTime: true });
  // Idle at once; without it, as in Safari, the app waits a second.
  vi.stubGlobal('requestIdleCallback', (run: () => void) => setTimeout(run, 0));
  vi.stubGlobal('cancelIdleCallback', (timer: number) => clearTimeout(timer));
  Element.prototype.scrollIntoView = () => undefined;
  const folder = library.add('folders', { name: 'Cozinha' });
  const category = library.add('categories', { name: 'Doces', folder_id: folder['id'] });
  for (const title of ['Bolo de fubá', 'Bolo de cenoura', 'Torta'])
    library.add('links', { title, url: `https://a.br/${title}`, category_id: category['id'] });
  const serve = library.fetch;
  vi.stubGlobal('fetch', (input: string | URL | Request, init?: RequestInit) => {
    if (String(input).includes('rpc/count_searches'))
      counted.push(JSON.parse(String(init?.body)).searches.length);
    return serve(input, init);
  });
});
afterEach(async () => {
  cleanup();
  vi.useRealTimers();
  await wipePersistedQueries();
});

function open(path: string, options: Parameters<typeof renderApp>[1] = {}) {
  const view = renderApp(path, { auth: createFakeAuth(fakeSession()), ...options });
  return { ...view, user: userEvent.setup({ advanceTimers: vi.advanceTimersByTime }) };
}

const keep = (question: string, name = question) => library.add('saved_searches', { name, question });
const group = () => screen.findByRole('region', { name: 'Buscas salvas' });
const noGroup = () =>
  waitFor(() => expect(screen.queryByRole('region', { name: 'Buscas salvas' })).toBeNull());
/** Names with what stands beside them, as they are read aloud. */
const listed = async () =>
  within(await group())
    .getAllByRole('link')
    .map((anchor) => anchor.textContent);
const saved = () => library.table('saved_searches').map(({ name, question }) => [name, question]);
const chooseAct = async (user: ReturnType<typeof userEvent.setup>, name: string, act: string) => {
  await user.click(await screen.findByRole('button', { name: `Ações da busca ${name}` }));
  await user.click(await screen.findByRole('menuitem', { name: act }));
};

describe('a search', () => {
  test('is followed by a secret address of its own', async () => {
    keep('Bolo', 'Doces');
    const { user } = open('/dashboard');
    await chooseAct(user, 'Doces', 'Acompanhar por RSS');
    await user.click(await screen.findByRole('button', { name: 'Criar endereço' }));
    expect(
      await screen.findByDisplayValue(`${window.location.origin}/feed/${'s'.repeat(24)}/atom.xml`),
    ).toBeTruthy();
  });

  test('of what others share is offered no address: its feed would be empty for ever', async () => {
    keep('de:Ana');
    const { user } = open('/dashboard');
    await user.click(await screen.findByRole('button', { name: 'Ações da busca de:Ana' }));
    expect(await screen.findByRole('menuitem', { name: 'Renomear' })).toBeTruthy();
    expect(screen.queryByRole('menuitem', { name: 'Acompanhar por RSS' })).toBeNull();
  });

  test('whose deletion is not answered yet is taken back by the key all the same', async () => {
    keep('Bolo');
    const { user } = open('/search?q=Bolo');
    const pressed = await screen.findByRole('button', { name: 'Busca salva' });
    const held = Promise.withResolvers<void>();
    library.control.beforeWrite = () => held.promise;
    await user.click(pressed);
    await noGroup();
    await user.keyboard('{Control>}z{/Control}');
    held.resolve();
    await waitFor(async () => expect(await listed()).toEqual(['Bolo2, 2 links']));
    expect(saved()).toEqual([['Bolo', 'Bolo']]);
    expect(screen.queryByText('Busca excluída')).toBeNull();
  });

  test('is kept under its own words, opens from the sidebar, and is taken out by the same press; undo brings it back', async () => {
    const { user, path } = open('/search?q=Bolo');
    const button = await screen.findByRole('button', { name: 'Guardar busca' });
    expect(screen.queryByRole('region', { name: 'Buscas salvas' })).toBeNull();
    await user.click(button);
    await waitFor(async () => expect(await listed()).toEqual(['Bolo2, 2 links']));
    expect(saved()).toEqual([['Bolo', 'Bolo']]);
    const entry = within(await group()).getByRole('link');
    expect(entry.getAttribute('aria-current')).toBe('page');
    const pressed = screen.getByRole('button', { name: 'Busca salva' });
    expect(pressed.getAttribute('aria-pressed')).toBe('true');
    await user.click(pressed);
    await noGroup();
    expect(saved()).toEqual([]);
    await user.click(await screen.findByRole('button', { name: 'Desfazer' }));
    await user.click(within(await group()).getByRole('link'));
    expect(path()).toBe('/search?q=Bolo&page=1');
    expect(saved()).toEqual([['Bolo', 'Bolo']]);
  });

  test('is kept from the list below the field, which stays open', async () => {
    const { user } = open('/dashboard');
    const field = await screen.findByRole('combobox', { name: 'Buscar links' });
    await user.type(field, 'Bolo');
    await user.click(await screen.findByRole('button', { name: 'Guardar busca' }));
    expect(await screen.findByRole('button', { name: 'Busca salva' })).toBeTruthy();
    expect(document.activeElement).toBe(field);
    expect(saved()).toEqual([['Bolo', 'Bolo']]);
  });

  test('that asks for nothing cannot be kept, nor can all links', async () => {
    open('/search?q=pasta:');
    expect(await screen.findByRole('heading', { name: 'Resultados da busca' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Guardar busca' })).toBeNull();
    cleanup();
    open('/search');
    expect(await screen.findByText(/3 links/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Guardar busca' })).toBeNull();
  });

  test('that is refused goes from the list again, and says why', async () => {
    const { user } = open('/search?q=Bolo');
    library.control.refuse = (method, relation) =>
      method === 'POST' && relation === 'saved_searches'
        ? {
            status: 400,
            body: {
              code: 'P0001',
              hint: 'bound_saved_searches',
              message: 'Limite de 100 buscas salvas atingido',
            },
          }
        : null;
    await user.click(await screen.findByRole('button', { name: 'Guardar busca' }));
    expect(await screen.findByText('Limite de 100 buscas salvas atingido')).toBeTruthy();
    await noGroup();
  });

  test('that another device has kept meanwhile is kept once', async () => {
    const { user } = open('/search?q=Bolo');
    const button = await screen.findByRole('button', { name: 'Guardar busca' });
    keep('Bolo', 'Doces');
    library.control.refuse = (method, relation) =>
      method === 'POST' && relation === 'saved_searches' ? { status: 409, body: { code: '23505' } } : null;
    await user.click(button);
    await waitFor(async () => expect(await listed()).toEqual(['Doces2, 2 links']));
    // Its id is not the one that was sent.
    await user.click(await screen.findByRole('button', { name: 'Dar outro nome' }));
    const field = await screen.findByRole('textbox', { name: 'Nome da busca' });
    await user.clear(field);
    await user.type(field, 'Festa{Enter}');
    expect(await screen.findByText('Busca renomeada')).toBeTruthy();
    expect(saved()).toEqual([['Festa', 'Bolo']]);
    await waitFor(async () => expect(await listed()).toEqual(['Festa2, 2 links']));
  });

  test('that another device has deleted meanwhile cannot be renamed', async () => {
    keep('Bolo', 'Doces');
    const { user } = open('/dashboard');
    await waitFor(async () => expect(await listed()).toEqual(['Doces2, 2 links']));
    await chooseAct(user, 'Doces', 'Renomear');
    library.tables['saved_searches'] = [];
    vi.stubGlobal('fetch', async (...request: Parameters<typeof library.fetch>) => {
      const answer = await library.fetch(...request);
      const isOne = new Headers(request[1]?.headers).get('accept')?.includes('pgrst.object');
      if (!isOne || request[1]?.method !== 'PATCH') return answer;
      return Response.json({ code: 'PGRST116', details: 'The result contains 0 rows' }, { status: 406 });
    });
    const field = await screen.findByRole('textbox', { name: 'Nome da busca' });
    await user.clear(field);
    await user.type(field, 'Festa{Enter}');
    expect(await screen.findByText('Não foi possível renomear a busca')).toBeTruthy();
    await noGroup();
  });
});

describe('in the sidebar', () => {
  test('they stand by name, are renamed and deleted; the keyboard stays among them', async () => {
    keep('Bolo 10');
    keep('Bolo 2');
    const { user } = open('/dashboard');
    await waitFor(async () => expect(await listed()).toEqual(['Bolo 20, 0 links', 'Bolo 100, 0 links']));
    await chooseAct(user, 'Bolo 10', 'Renomear');
    const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Nome da busca' });
    expect(field.value).toBe('Bolo 10');
    await user.clear(field);
    await user.keyboard('{Enter}');
    expect(await screen.findByText('Dê um nome à busca')).toBeTruthy();
    await user.type(field, 'A primeira{Enter}');
    await waitFor(() => expect(saved()).toContainEqual(['A primeira', 'Bolo 10']));
    await waitFor(async () => expect(await listed()).toEqual(['A primeira0, 0 links', 'Bolo 20, 0 links']));
    await chooseAct(user, 'A primeira', 'Excluir');
    await waitFor(() => expect(saved()).toEqual([['Bolo 2', 'Bolo 2']]));
    expect(await screen.findByText('Busca excluída')).toBeTruthy();
    const [left] = within(await group()).getAllByRole('link');
    await waitFor(() => expect(document.activeElement).toBe(left));
  });

  test('they are in a menu while it is collapsed', async () => {
    keep('Bolo');
    const { user, path } = open('/dashboard');
    await group();
    await user.keyboard('{Control>}b{/Control}');
    await user.click(await screen.findByRole('button', { name: 'Buscas salvas' }));
    await user.click(await screen.findByRole('menuitem', { name: /Bolo/ }));
    expect(path()).toBe('/search?q=Bolo&page=1');
    await user.keyboard('{Control>}b{/Control}');
    await group();
  });

  test('what another device keeps appears', async () => {
    const realtime = createFakeRealtime();
    open('/dashboard', { realtime: realtime.source });
    await screen.findByRole('treeitem', { name: 'Cozinha' });
    await waitFor(() => expect(realtime.source.isLive('saved_searches')).toBe(true));
    realtime.tell({ table: 'saved_searches', operation: 'INSERT', row: keep('Torta') });
    await waitFor(async () => expect(await listed()).toEqual(['Torta1, 1 link']));
    expect(screen.queryByText('Atualizado agora')).toBeNull();
  });
});

describe('how many links each finds', () => {
  test('is counted in one call, and once again after many changes', async () => {
    for (const question of ['Bolo', 'Torta', 'Nada']) keep(question);
    const realtime = createFakeRealtime();
    open('/dashboard', { realtime: realtime.source });
    await waitFor(async () =>
      expect(await listed()).toEqual(['Bolo2, 2 links', 'Nada0, 0 links', 'Torta1, 1 link']),
    );
    expect(counted).toEqual([3]);
    await waitFor(() => expect(realtime.source.isLive('links')).toBe(true));
    // What was counted before the feed began is counted once again.
    await vi.advanceTimersByTimeAsync(6_000);
    counted.length = 0;
    const [first] = library.table('links');
    for (let n = 0; n < 20; n += 1) {
      const row = library.add('links', { ...first, id: crypto.randomUUID(), title: `Bolo ${n}` });
      realtime.tell({ table: 'links', operation: 'INSERT', row });
      await vi.advanceTimersByTimeAsync(50);
    }
    await vi.advanceTimersByTimeAsync(6_000);
    await waitFor(async () => expect((await listed())[0]).toBe('Bolo22, 22 links'));
    expect(counted.length).toBeLessThanOrEqual(2);
  });

  test('is not said where a question asks for what others share', async () => {
    for (const question of ['Bolo', 'Bolo de:Ana', 'de:Ana']) keep(question);
    open('/dashboard');
    await waitFor(async () => expect(await listed()).toEqual(['Bolo2, 2 links', 'Bolo de:Ana', 'de:Ana']));
    expect(counted).toEqual([1]);
  });

  test('is counted again when a tag is deleted here, and when it is given back', async () => {
    keep('tag:festa');
    const tag = { color: null, link_count: 0, tagged_at: '2025-01-01T00:00:00Z' };
    for (const name of ['festa', 'outra']) library.add('tags', { ...tag, name });
    const { user } = open('/tags');
    await waitFor(() => expect(counted).toEqual([1]));
    const tags = within(await screen.findByRole('main'));
    (await tags.findByText('festa')).closest('a')?.focus();
    await user.keyboard('{Delete}');
    expect(await screen.findByText('Tag excluída')).toBeTruthy();
    await vi.advanceTimersByTimeAsync(6_000);
    await waitFor(() => expect(counted).toEqual([1, 1]));
    await user.keyboard('{Control>}z{/Control}');
    expect(await tags.findByText('festa')).toBeTruthy();
    await vi.advanceTimersByTimeAsync(6_000);
    await waitFor(() => expect(counted).toEqual([1, 1, 1]));
  });

  test('is counted again when a form changes nothing but the tags of a link', async () => {
    keep('tag:festa');
    const { user } = open(`/category/${String(library.table('categories')[0]?.['id'])}`);
    await waitFor(() => expect(counted).toEqual([1]));
    (await screen.findByRole('link', { name: 'Torta' })).focus();
    await user.keyboard('e');
    const form = within(await screen.findByRole('dialog', { name: 'Editar Link' }));
    await user.type(await form.findByRole('combobox', { name: 'Tags (opcional)' }), 'festa{Enter}');
    await user.click(form.getByRole('button', { name: 'Salvar' }));
    await waitFor(() => expect(library.table('link_tags')).toHaveLength(1));
    await vi.advanceTimersByTimeAsync(6_000);
    await waitFor(() => expect(counted).toEqual([1, 1]));
  });

  test('is not asked while the group is closed', async () => {
    localStorage.setItem('linkoteca-saved-searches', 'closed');
    keep('Bolo');
    open('/dashboard');
    const head = within(await group()).getByRole('button', { expanded: false });
    expect(counted).toEqual([]);
    fireEvent.click(head);
    await waitFor(async () => expect(await listed()).toEqual(['Bolo2, 2 links']));
    expect(counted).toEqual([1]);
  });

  test('goes on where the service stopped, and stays what it was where it cannot be asked', async () => {
    for (const question of ['Bolo', 'Torta']) keep(question);
    const whole = library.fetch;
    vi.stubGlobal('fetch', async (input: string | URL | Request, init?: RequestInit) => {
      const answer = await whole(input, init);
      if (!String(input).includes('rpc/count_searches')) return answer;
      counted.push(JSON.parse(String(init?.body)).searches.length);
      return new Response(JSON.stringify((await answer.json()).slice(0, 1)), {
        headers: { 'content-type': 'application/json' },
      });
    });
    open('/dashboard');
    await waitFor(async () => expect(await listed()).toEqual(['Bolo2, 2 links', 'Torta1, 1 link']));
    expect(counted).toEqual([2, 1]);
  });

  test('is the last known without a network', async () => {
    // The store on the device has a clock of its own.
    vi.useRealTimers();
    keep('Bolo');
    const first = open('/dashboard', { connection: createFakeConnection() });
    await waitFor(async () => expect(await listed()).toEqual(['Bolo2, 2 links']));
    const { readPersistedQueries } = await import(
      '../../../shared/lib/query-persistence/read-persisted-queries.ts'
    );
    await waitFor(async () => {
      const kept = await readPersistedQueries({ userId: fakeSession().user.id, buildId: '' }, Date.now());
      expect(kept.map(({ queryKey }) => queryKey[0])).toContain('search-totals');
    });
    first.unmount();
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    open('/dashboard', { connection: createFakeConnection(false) });
    await waitFor(async () => expect(await listed()).toEqual(['Bolo2, 2 links']));
  });
});
