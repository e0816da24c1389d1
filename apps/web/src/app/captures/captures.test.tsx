import 'fake-indexeddb/auto';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  addCaptures,
  changeCaptures,
  listCaptures,
  removeCaptures,
} from '../../features/captures/api/outbox-store.ts';
import { wipePersistedQueries } from '../../shared/lib/query-persistence/query-store.ts';
import { createFakeAuth, fakeSession } from '../../shared/test/create-fake-auth.ts';
import { createFakeConnection } from '../../shared/test/create-fake-connection.ts';
import { createFakeRealtime } from '../../shared/test/create-fake-realtime.ts';
import { beginWithLibrary } from '../test/begin-with-library.ts';
import { renderApp } from '../test/render-app.tsx';

const library = beginWithLibrary(() =>
  Promise.all([
    import('./begin-captures.ts'),
    import('../live/begin-live-updates.ts'),
    import('../organiser/inbox/inbox-entry-host.tsx'),
    import('../pages/inbox-page.tsx'),
    import('../pages/share-route.tsx'),
    import('../shell/offline-mark.tsx'),
  ]),
);

const userId = fakeSession().user.id;
const OTHER = '22222222-2222-4222-8222-222222222222';

beforeEach(() => {
  // Idle at once; without it, as in Safari, the app waits a second.
  vi.stubGlobal('requestIdleCallback', (run: () => void) => setTimeout(run, 0));
  vi.stubGlobal('cancelIdleCallback', (timer: number) => clearTimeout(timer));
});
afterEach(async () => {
  cleanup();
  for (const person of [userId, OTHER])
    await removeCaptures(
      person,
      (await listCaptures(person)).map(({ place }) => place),
    );
  await wipePersistedQueries();
});

/** As in the window of the installed app. */
function install() {
  const { matchMedia } = window;
  window.matchMedia = (query) =>
    query === '(display-mode: standalone)'
      ? ({ ...matchMedia(query), matches: true } as MediaQueryList)
      : matchMedia(query);
}

function open(path: string, connection = createFakeConnection()) {
  const app = renderApp(path, { auth: createFakeAuth(fakeSession()), connection });
  return { ...app, connection, user: userEvent.setup() };
}

const share = (params: Record<string, string>, connection = createFakeConnection()) =>
  open(`/share-target?${new URLSearchParams(params)}`, connection);
const saved = () => library.table('links').map(({ title, url }) => [title, url]);
const waiting = async (person = userId) => (await listCaptures(person)).map(({ url }) => url);
const entry = (name: RegExp | string) =>
  within(screen.getByRole('complementary', { name: 'Navegação' })).findByRole('link', { name });
const FULL = {
  status: 400,
  body: { code: 'P0001', hint: 'plan_limit_links', details: '{"max":1,"plan":"free"}', message: 'Limite' },
};
const refuseCaptures = (refused: (url: string) => boolean, answer = FULL) => {
  const serve = library.fetch;
  vi.stubGlobal('fetch', (input: string | URL | Request, init?: RequestInit) =>
    String(input).includes('rpc/capture_link') && refused(JSON.parse(String(init?.body)).url)
      ? Promise.resolve(
          new Response(JSON.stringify(answer.body), {
            status: answer.status,
            headers: { 'content-type': 'application/json' },
          }),
        )
      : serve(input, init),
  );
};

describe('what the share menu hands to the installed app', () => {
  beforeEach(install);

  test('is saved into the inbox without a question; it says so, the sidebar counts it, and undo takes it back', async () => {
    const { user, path } = share({ title: 'Pão', text: 'https://pao.com.br' });
    expect(await screen.findByText('Salvo')).toBeTruthy();
    expect(saved()).toEqual([['Pão', 'https://pao.com.br']]);
    expect(path()).toBe('/dashboard');
    expect(screen.queryByRole('dialog', { name: 'Adicionar Link' })).toBeNull();
    expect(await entry('Entrada, 1 link')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Desfazer' }));
    expect(await screen.findByText('Desfeito: não está mais na biblioteca')).toBeTruthy();
    expect(saved()).toEqual([]);
    expect(await entry('Entrada')).toBeTruthy();
    expect(await waiting()).toEqual([]);
  });

  test('is organized by the button beside it', async () => {
    const { user, path } = share({ title: 'Pão', text: 'https://pao.com.br' });
    await user.click(await screen.findByRole('button', { name: 'Organizar' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Entrada' })).toBeTruthy();
    expect(await screen.findByRole('link', { name: 'Pão' })).toBeTruthy();
    expect(path()).toBe('/entrada');
  });

  test('is all of it where it names several; what the plan has no room for is said and kept', async () => {
    refuseCaptures((url) => !url.includes('um'));
    const { user } = share({ text: 'https://um.br\nhttps://dois.br\nhttps://tres.br' });
    expect(await screen.findByText('Salvo · 2 links esperam neste aparelho')).toBeTruthy();
    expect(screen.getByText(/^Seu plano chegou a 1 link\./)).toBeTruthy();
    expect(saved().map(([, url]) => url)).toEqual(['https://um.br']);
    await user.click(screen.getByRole('button', { name: 'Ver' }));
    const list = await screen.findByRole('region', { name: 'Esperando para salvar' });
    expect(within(list).getAllByRole('listitem')).toHaveLength(2);
    expect(within(list).getAllByText(/^Seu plano chegou a 1 link\./)).toHaveLength(2);
    // There is room again.
    vi.stubGlobal('fetch', library.fetch);
    await user.click(within(list).getByRole('button', { name: 'Tentar todos de novo' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Esperando para salvar' })).toBeNull());
    expect(saved().map(([, url]) => url)).toEqual(['https://tres.br', 'https://dois.br', 'https://um.br']);
  });

  test.each([
    ['the password', '', '/dashboard'],
    ['another site, which leads to the dashboard', 'https://contas.example/', '/dashboard'],
    ['another site, which leads on', 'https://contas.example/', null],
  ])(
    'is all of it also where it came while nobody was in, who signed in by %s',
    async (_way, referrer, path) => {
      const shared = '/share-target?text=Pão%20https://um.br%0Ahttps://dois.br';
      const visitor = renderApp(shared);
      await waitFor(() => expect(visitor.path()).toMatch(/^\/login\?from=%2Fshare-target/));
      const from = new URLSearchParams(visitor.path().split('?')[1]).get('from');
      visitor.unmount();
      vi.spyOn(document, 'referrer', 'get').mockReturnValue(referrer);
      open(path ?? String(from));
      await waitFor(() =>
        expect(saved().map(([, url]) => url)).toEqual(['https://dois.br', 'https://um.br']),
      );
      expect(await waiting()).toEqual([]);
    },
  );

  test('asks where a page of another site led to something else meanwhile', async () => {
    const visitor = renderApp('/share-target?text=https://um.br');
    await waitFor(() => expect(visitor.path()).toMatch(/^\/login\?from=%2Fshare-target/));
    visitor.unmount();
    vi.spyOn(document, 'referrer', 'get').mockReturnValue('https://mau.com/');
    // Too long to be kept: what was shared before is still there.
    share({ text: 'https://mau.com', title: 'Isca '.repeat(1000) });
    expect((await screen.findByLabelText<HTMLInputElement>(/^url/i)).value).toBe('https://mau.com');
    expect(saved()).toEqual([]);
    expect(await waiting()).toEqual([]);
  });

  test('that asked before, nobody being in, opens the form again', async () => {
    const visitor = renderApp('/share-target?asks=1&text=https://um.br');
    await waitFor(() => expect(visitor.path()).toMatch(/^\/login\?from=%2Fshare-target/));
    visitor.unmount();
    open('/dashboard');
    expect((await screen.findByLabelText<HTMLInputElement>(/^url/i)).value).toBe('https://um.br');
    expect(saved()).toEqual([]);
  });

  test('without an address opens the form', async () => {
    share({ text: 'uma ideia' });
    expect((await screen.findByLabelText<HTMLInputElement>(/título/i)).value).toBe('uma ideia');
    expect(saved()).toEqual([]);
  });

  test('opens the form, with all of it, where the device keeps nothing', async () => {
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    share({ title: 'Pão', text: 'https://pao.com.br' });
    expect(await screen.findByText('Não foi possível guardar neste aparelho')).toBeTruthy();
    expect((await screen.findByLabelText<HTMLInputElement>(/^url/i)).value).toBe('https://pao.com.br');
  });

  test('waits without network, and is saved once when that is back', async () => {
    const { connection } = share({ title: 'Pão', text: 'https://pao.com.br' }, createFakeConnection(false));
    expect(await screen.findByText('Guardado neste aparelho')).toBeTruthy();
    expect(saved()).toEqual([]);
    expect(await waiting()).toEqual(['https://pao.com.br']);
    expect(await entry('Entrada, 1 link espera neste aparelho')).toBeTruthy();
    act(() => connection.set(true));
    expect(await entry('Entrada, 1 link')).toBeTruthy();
    expect(saved()).toEqual([['Pão', 'https://pao.com.br']]);
    expect(await waiting()).toEqual([]);
  });
});

test('a page of a browser that leads to the share target saves nothing: the form asks', async () => {
  share({ title: 'Isca', text: 'https://mau.com' });
  expect((await screen.findByLabelText<HTMLInputElement>(/^url/i)).value).toBe('https://mau.com');
  expect(saved()).toEqual([]);
  expect(await waiting()).toEqual([]);
});

test.each(['', '#aqui', '&asks='])(
  'nor does the installed app with what a page led to in a browser (%s), while nobody was in',
  async (rest) => {
    const visitor = renderApp(
      `/share-target?${new URLSearchParams({ title: 'Isca', text: 'https://mau.com' })}${rest}`,
    );
    await waitFor(() => expect(visitor.path()).toMatch(/^\/login\?from=%2Fshare-target/));
    visitor.unmount();
    install();
    const { path } = open('/dashboard');
    expect((await screen.findByLabelText<HTMLInputElement>(/^url/i)).value).toBe('https://mau.com');
    expect(path()).toBe('/dashboard');
    expect(saved()).toEqual([]);
    expect(await waiting()).toEqual([]);
  },
);

test('the form keeps a link without network, with its category, and goes; back online it is there', async () => {
  const folder = library.add('folders', { name: 'Cozinha' });
  const doces = library.add('categories', { name: 'Doces', folder_id: folder['id'] });
  const { user, connection } = open('/dashboard');
  await screen.findByRole('treeitem', { name: 'Cozinha' });
  act(() => connection.set(false));
  await user.keyboard('n');
  await user.type(await screen.findByLabelText(/^url/i), 'https://bolo.com.br');
  await user.type(screen.getByLabelText(/título/i), 'Bolo');
  await user.click(screen.getByRole('button', { name: 'Salvar' }));
  expect(await screen.findByText('Guardado neste aparelho')).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Adicionar Link' })).toBeNull());
  expect(await screen.findByRole('link', { name: '1 link espera neste aparelho' })).toBeTruthy();
  expect(saved()).toEqual([]);
  act(() => connection.set(true));
  await waitFor(() => expect(saved()).toEqual([['Bolo', 'https://bolo.com.br']]));
  expect(library.table('links')[0]?.['category_id']).toBe(doces['id']);
});

test('the first links of an empty library without network are all kept, though one field takes them', async () => {
  const { user, connection } = open('/dashboard');
  const field = await screen.findByLabelText('Cole seu primeiro link');
  act(() => connection.set(false));
  for (const [at, url] of ['https://um.br', 'https://dois.br'].entries()) {
    await user.clear(field);
    await user.type(field, `${url}{Enter}`);
    const form = await screen.findByRole('dialog', { name: 'Adicionar Link' });
    await user.click(within(form).getByRole('button', { name: 'Salvar' }));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Adicionar Link' })).toBeNull());
    expect(await waiting()).toHaveLength(at + 1);
  }
  act(() => connection.set(true));
  await waitFor(async () => expect(await waiting()).toEqual([]));
  expect(saved().map(([, url]) => url)).toEqual(expect.arrayContaining(['https://um.br', 'https://dois.br']));
});

describe('what waits', () => {
  const capture = (url: string) => ({
    id: crypto.randomUUID(),
    url,
    title: null,
    description: null,
    categoryId: null,
    tags: [],
  });
  /** A category in a folder that somebody shares. */
  const addReceived = () => {
    library.tables['received_folders'] = [
      {
        folder_id: 'dela',
        name: 'Cozinha',
        owner_id: 'dona',
        owner_name: 'Dona',
        role: 'editor',
        may_write: true,
        shared_at: '2025-05-11T12:00:00Z',
      },
    ];
    return library.add('categories', { user_id: 'dona', folder_id: 'dela', name: 'Receitas' });
  };

  test('is sent at the next start, in its order, with what the pages call themselves', async () => {
    await addCaptures(userId, [capture('https://um.br'), capture('https://dois.br')]);
    library.pages['https://um.br'] = { title: 'Primeiro' };
    open('/dashboard');
    await waitFor(async () => expect(await waiting()).toEqual([]));
    expect(saved()).toEqual([
      ['dois.br', 'https://dois.br'],
      ['Primeiro', 'https://um.br'],
    ]);
  });

  test('is told to the other tabs, each link as soon as it is saved', async () => {
    const realtime = createFakeRealtime();
    const told: unknown[] = [];
    const tab = new BroadcastChannel('realtime-events');
    tab.onmessage = ({ data }) => told.push(data);
    renderApp('/dashboard', { auth: createFakeAuth(fakeSession()), realtime: realtime.source });
    await waitFor(() => expect(realtime.subscriptions().length).toBeGreaterThan(4));
    const first = capture('https://um.br');
    await addCaptures(userId, [first]);
    await waitFor(() =>
      expect(told).toContainEqual(expect.objectContaining({ table: 'links', type: 'INSERT', id: first.id })),
    );
    tab.close();
  });

  test('of somebody else on this device is neither sent nor seen', async () => {
    await addCaptures(OTHER, [capture('https://segredo.br')]);
    await addCaptures(userId, [capture('https://meu.br')]);
    open('/entrada');
    await waitFor(async () => expect(await waiting()).toEqual([]));
    expect(saved()).toEqual([['meu.br', 'https://meu.br']]);
    expect(screen.queryByText(/segredo/)).toBeNull();
    expect(await waiting(OTHER)).toEqual(['https://segredo.br']);
  });

  test('is not sent with the token of whoever signs in while its page is asked for a title', async () => {
    const serve = library.fetch;
    const sent: unknown[] = [];
    const ana = fakeSession();
    const bia = { ...ana, access_token: 'de bia', user: { ...ana.user, id: OTHER } };
    const auth = createFakeAuth(ana);
    const asked = Promise.withResolvers<Response>();
    const titles: (Response | Promise<Response>)[] = [asked.promise];
    vi.stubGlobal('fetch', (input: string | URL | Request, init?: RequestInit) => {
      if (String(input).includes('rpc/capture_link'))
        sent.push(new Headers(init?.headers).get('authorization'));
      const title = String(input).includes('link-preview') ? titles.shift() : undefined;
      return title ?? serve(input, init);
    });
    await addCaptures(userId, [{ ...capture('https://meu.br'), tags: ['minha'] }]);
    const connection = createFakeConnection();
    renderApp('/entrada', { auth, connection });
    await screen.findByRole('region', { name: 'Esperando para salvar' });
    await waitFor(() => expect(titles).toEqual([]));
    const answer = Response.json({ title: 'Meu', description: '' });
    const said = await answer.json();
    // This tab has not heard of it yet.
    answer.json = async () => {
      auth.getSession.mockResolvedValueOnce({ data: { session: bia }, error: null });
      return said;
    };
    asked.resolve(answer);
    await waitFor(() => expect(auth.getSession).toHaveResolvedWith({ data: { session: bia }, error: null }));
    act(() => connection.set(false));
    expect(await listCaptures(userId)).toMatchObject([{ url: 'https://meu.br', refusal: null }]);
    act(() => connection.set(true));
    await waitFor(async () => expect(await waiting()).toEqual([]));
    expect(sent).toEqual(['Bearer access-token']);
  });

  test('is edited, and tells why it was refused', async () => {
    refuseCaptures((url) => url === 'https://mau.br', {
      status: 404,
      body: { code: 'PT404', message: 'Categoria não encontrada', hint: '', details: '' },
    });
    await addCaptures(userId, [{ ...capture('https://mau.br'), title: 'Mau' }]);
    const { user } = open('/entrada');
    expect(await screen.findByText('A categoria escolhida não existe mais. Escolha outra.')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Editar: Mau' }));
    const form = await screen.findByRole('dialog', { name: 'Editar link que espera' });
    const url = within(form).getByLabelText('URL');
    await user.clear(url);
    await user.type(url, 'javascript:alert(1)');
    await user.click(within(form).getByRole('button', { name: 'Salvar' }));
    expect(await within(form).findByText('URL inválida')).toBeTruthy();
    await user.clear(url);
    await user.type(url, 'https://bom.br');
    await user.click(within(form).getByRole('button', { name: 'Salvar' }));
    await waitFor(() => expect(saved()).toEqual([['Mau', 'https://bom.br']]));
  });

  test('for a category that is gone goes to the inbox where no other is chosen; a choice is not lost by Esc', async () => {
    const folder = library.add('folders', { name: 'Mercado' });
    library.add('categories', { name: 'Doces', folder_id: folder['id'] });
    addReceived();
    await addCaptures(userId, [{ ...capture('https://um.br'), title: 'Um', categoryId: OTHER }]);
    const places = (await listCaptures(userId)).map(({ place }) => place);
    await changeCaptures(userId, places, { refusal: { kind: 'category_gone' } });
    const { user } = open('/entrada');
    await user.click(await screen.findByRole('button', { name: 'Editar: Um' }));
    const form = await screen.findByRole('dialog', { name: 'Editar link que espera' });
    await user.click(within(form).getByLabelText('Categoria'));
    // Both lists are there: it is known that it is gone.
    await screen.findByRole('option', { name: /Doces/ });
    await user.click(await screen.findByRole('option', { name: /Receitas/ }));
    await user.keyboard('{Escape}');
    expect(await screen.findByText('Descartar o que você digitou?')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Descartar' }));
    await user.click(await screen.findByRole('button', { name: 'Editar: Um' }));
    const again = await screen.findByRole('dialog', { name: 'Editar link que espera' });
    await user.click(within(again).getByRole('button', { name: 'Salvar' }));
    await waitFor(() => expect(saved()).toEqual([['Um', 'https://um.br']]));
    const inboxes = library.table('inboxes').map((inbox) => inbox['category_id']);
    expect(library.table('links').map((link) => link['category_id'])).toEqual(inboxes);
  });

  test('is edited although it was saved, its answer lost: the link says what was edited', async () => {
    const sent = { ...capture('https://mau.br'), title: 'Mau' };
    await addCaptures(userId, [sent]);
    const inbox = library.add('categories', { name: 'Entrada', is_inbox: true });
    library.add('links', { id: sent.id, url: sent.url, title: sent.title, category_id: inbox['id'] });
    const { user, connection } = open('/entrada', createFakeConnection(false));
    await user.click(await screen.findByRole('button', { name: 'Editar: Mau' }));
    const form = await screen.findByRole('dialog', { name: 'Editar link que espera' });
    const title = within(form).getByLabelText(/^(Título|Nome)/);
    await user.clear(title);
    await user.type(title, 'Bom');
    await user.click(within(form).getByRole('button', { name: 'Salvar' }));
    await waitFor(async () => expect(await listCaptures(userId)).toMatchObject([{ title: 'Bom' }]));
    act(() => connection.set(true));
    await waitFor(async () => expect(await waiting()).toEqual([]));
    expect(saved()).toEqual([['Bom', 'https://mau.br']]);
  });

  test('of a form that was sent before, its answer lost, is brought up to date', async () => {
    const folder = library.add('folders', { name: 'Cozinha' });
    const place = library.add('categories', { name: 'Doces', folder_id: folder['id'] });
    vi.stubGlobal('fetch', async (input: string, init?: RequestInit) => {
      const answer = await library.fetch(input, init);
      if (init?.method === 'POST' && /\/links\b/.test(input)) throw new TypeError('Failed to fetch');
      return answer;
    });
    const { user, connection } = open(`/category/${String(place['id'])}`);
    await screen.findByRole('heading', { level: 1, name: 'Doces' });
    await user.keyboard('n');
    await user.type(await screen.findByLabelText(/^url/i), 'https://bolo.br');
    const title = screen.getByLabelText(/título/i);
    await user.type(title, 'Bolo');
    await user.click(screen.getByRole('button', { name: 'Salvar' }));
    expect(await screen.findByText('Não foi possível salvar o link')).toBeTruthy();
    expect(saved()).toEqual([['Bolo', 'https://bolo.br']]);
    act(() => connection.set(false));
    await user.type(title, ' de fubá');
    await user.click(screen.getByRole('button', { name: 'Salvar' }));
    await waitFor(async () => expect(await listCaptures(userId)).toMatchObject([{ title: 'Bolo de fubá' }]));
    act(() => connection.set(true));
    await waitFor(async () => expect(await waiting()).toEqual([]));
    expect(saved()).toEqual([['Bolo de fubá', 'https://bolo.br']]);
  });

  test('is put into a folder that somebody shares, whose plan is theirs', async () => {
    const theirs = addReceived();
    refuseCaptures(() => true);
    await addCaptures(userId, [{ ...capture('https://um.br'), title: 'Um' }]);
    const { user } = open('/entrada');
    await user.click(await screen.findByRole('button', { name: 'Editar: Um' }));
    const form = await screen.findByRole('dialog', { name: 'Editar link que espera' });
    await user.click(within(form).getByLabelText('Categoria'));
    await user.click(await screen.findByRole('option', { name: /Receitas/ }));
    await user.click(within(form).getByRole('button', { name: 'Salvar' }));
    expect(
      await screen.findByText('O plano de quem compartilha esta pasta guarda até 1 links, e está cheio.'),
    ).toBeTruthy();
    expect(await listCaptures(userId)).toMatchObject([{ categoryId: theirs['id'], sharedFolderId: 'dela' }]);
  });

  test('is emptied, and that can be undone', async () => {
    await addCaptures(userId, [capture('https://um.br'), capture('https://dois.br')]);
    const { user } = open('/entrada', createFakeConnection(false));
    await user.click(await screen.findByRole('button', { name: 'Apagar todos' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Esperando para salvar' })).toBeNull());
    expect(await waiting()).toEqual([]);
    await user.click(await screen.findByRole('button', { name: 'Desfazer' }));
    expect(await screen.findByRole('region', { name: 'Esperando para salvar' })).toBeTruthy();
    expect(await waiting()).toEqual(['https://um.br', 'https://dois.br']);
  });

  test('for a session that ended is sent when its person is back', async () => {
    await addCaptures(userId, [capture('https://um.br')]);
    refuseCaptures(() => true, {
      status: 401,
      body: { code: 'PGRST303', message: 'x', hint: '', details: '' },
    });
    const first = open('/entrada');
    expect(await screen.findByText(/^Sua sessão terminou antes de salvar/)).toBeTruthy();
    first.unmount();
    vi.stubGlobal('fetch', library.fetch);
    open('/dashboard');
    await waitFor(() => expect(saved()).toEqual([['um.br', 'https://um.br']]));
  });
});
