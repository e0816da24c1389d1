import { CACHE_MS } from '@linkoteca/domain/limits';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createFakeAuth, fakeSession } from '../../shared/test/create-fake-auth.ts';
import { createFakeRealtime } from '../../shared/test/create-fake-realtime.ts';
import { expectConsoleError } from '../../shared/test/setup-browser-tests.ts';
import { loadScreens, renderApp } from '../test/render-app.tsx';

const ID = '9b2f6c1e-5a0d-4c7b-8e3f-1a2b3c4d5e6f';
const PATH = `/shared/${ID}`;
const TOPIC = `shared:${ID}`;

type Row = Record<string, unknown>;
type Say = (content: unknown, status?: number) => Response;
const service = {
  category: null as Row | null,
  links: [] as Row[],
  answerLinks: (_asked: Row, say: Say): Response => say(service.links),
  folders: [] as Row[],
  copyRefusal: null as Row | null,
  hasLeft: false,
  hasAsked: false,
  askRefusal: null as Row | null,
  password: '',
  proofs: [] as (string | null)[],
  tooMany: false,
  broken: false,
  calls: [] as { readonly what: string; readonly body: Row; readonly at: number }[],
};

const shared = (access: string, more: Row = {}): Row => ({
  id: ID,
  access,
  name: 'Receitas',
  description: 'Da vovó',
  owner_name: 'Dona Clara',
  link_count: 1,
  created_at: '2025-05-11T12:00:00Z',
  updated_at: '2025-05-11T12:00:00Z',
  ...more,
});
const DENIED = shared('denied', { name: null, description: null, owner_name: null, link_count: null });
const LOCKED = { ...DENIED, access: 'locked' };
const link = (title: string): Row => ({
  id: crypto.randomUUID(),
  url: 'https://example.com/bolo',
  title,
  description: null,
  created_at: '2025-05-11T12:00:00Z',
  updated_at: '2025-05-11T12:00:00Z',
});

async function answer(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const url = new URL(input instanceof Request ? input.url : input);
  const what = `${init?.method ?? 'GET'} ${url.pathname.replace('/rest/v1/', '')}`;
  const body: Row = typeof init?.body === 'string' ? JSON.parse(init.body) : {};
  service.calls.push({ what: `${what}${url.search}`, body, at: Date.now() });
  const say = (content: unknown, status = 200) =>
    new Response(JSON.stringify(content), { status, headers: { 'content-type': 'application/json' } });
  if (service.broken) return say({ code: 'XX000', message: 'broken' }, 500);
  if (what.endsWith('rpc/open_locked_page'))
    return service.tooMany
      ? say({ code: 'PT429', message: 'Muitas tentativas. Espere alguns minutos e tente de novo.' }, 429)
      : say(body['password'] === service.password ? 'prova' : null);
  if (what.endsWith('rpc/shared_category') && service.password !== '') {
    const proof = new Headers(init?.headers).get('x-page-proof');
    service.proofs.push(proof);
    return say([proof === 'prova' ? service.category : LOCKED]);
  }
  if (what.endsWith('rpc/shared_category')) return say(service.category === null ? [] : [service.category]);
  if (what.endsWith('rpc/shared_links')) return service.answerLinks(body, say);
  if (what.endsWith('rpc/copy_shared_category'))
    return service.copyRefusal ? say(service.copyRefusal, 400) : say('c0000000-0000-4000-8000-000000000001');
  if (what.endsWith('rpc/has_left_share')) return say(service.hasLeft);
  if (what.endsWith('rpc/has_requested_access')) return say(service.hasAsked);
  if (what.endsWith('rpc/request_access'))
    return service.askRefusal ? say(service.askRefusal, 429) : say(null);
  if (what.endsWith('rpc/return_to_share')) return say(false);
  if (what === 'GET folders') return say(service.folders);
  return say([]);
}

const called = (what: string) => service.calls.filter((call) => call.what.startsWith(what));

beforeAll(async () => {
  await loadScreens();
  await Promise.all([import('./shared-route.tsx'), import('../organiser/received/copy-category-dialog.tsx')]);
}, 60_000);

beforeEach(() => {
  Object.assign(service, {
    category: shared('public'),
    links: [link('Bolo de fubá')],
    folders: [{ id: 'f1', name: 'Cozinha', user_id: '1', created_at: '', updated_at: '' }],
    copyRefusal: null,
    hasLeft: false,
    hasAsked: false,
    askRefusal: null,
    password: '',
    proofs: [],
    tooMany: false,
    broken: false,
    calls: [],
    answerLinks: (_asked: Row, say: Say) => say(service.links),
  });
  localStorage.clear();
  vi.stubGlobal('fetch', answer);
  // jsdom lays nothing out; the list of links needs to know how large its window is.
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  for (const side of ['clientHeight', 'clientWidth'] as const)
    vi.spyOn(Element.prototype, side, 'get').mockReturnValue(800);
  for (const side of ['offsetHeight', 'offsetWidth'] as const)
    vi.spyOn(HTMLElement.prototype, side, 'get').mockReturnValue(800);
});

const visit = (path = PATH, realtime = createFakeRealtime()) => ({
  ...renderApp(path, { realtime: realtime.source }),
  realtime,
});
const visitSignedIn = (realtime = createFakeRealtime()) => ({
  ...renderApp(PATH, { auth: createFakeAuth(fakeSession()), realtime: realtime.source }),
  realtime,
  user: userEvent.setup(),
});
const notice = (text: string) =>
  screen.findByRole('region', { name: 'Avisos' }).then((region) => within(region).findByText(text));
const robots = () => document.head.querySelector('meta[name=robots]')?.getAttribute('content') ?? null;

test('a visitor reads a public category, with the ways in and nothing to change it', async () => {
  visit();
  expect(await screen.findByRole('heading', { name: 'Receitas', level: 1 })).toBeTruthy();
  expect(screen.getByText('Compartilhado por: Dona Clara')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Entrar' }).getAttribute('href')).toBe(
    `/login?from=${encodeURIComponent(PATH)}`,
  );
  expect(screen.getByRole('link', { name: 'Copiar para minha biblioteca' }).getAttribute('href')).toBe(
    `/signup?from=${encodeURIComponent(`${PATH}?app=1&copy=1`)}`,
  );
  expect(screen.getByRole('link', { name: 'Criar Conta Grátis' }).getAttribute('href')).toBe(
    `/signup?from=${encodeURIComponent(PATH)}`,
  );
  expect((await screen.findByRole('link', { name: 'Bolo de fubá' })).getAttribute('href')).toBe(
    'https://example.com/bolo',
  );
  expect(screen.getByRole('button', { name: 'Lista' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: /Adicionar Link|Selecionar|Compartilhar/ })).toBeNull();
  expect(document.title).toBe('Receitas · Linkoteca');
  expect(robots()).toBeNull();
  expect(document.head.querySelector('link[rel=canonical]')?.getAttribute('href')).toMatch(
    /\/shared\/receitas-[\w-]{22}$/,
  );
});

test('its readable address shows the same, and an owner without a name is Usuário', async () => {
  service.category = shared('public', { owner_name: null });
  visit('/shared/um-nome-antigo-my9sHloNTHuOPxorPE1ebw');
  expect(await screen.findByText('Compartilhado por: Usuário')).toBeTruthy();
  expect(called('POST rpc/shared_category')[0]?.body).toEqual({ category_id: ID });
});

test.each([PATH, '/shared/nada'])(
  '%s without a category says so, and search engines keep away',
  async (path) => {
    service.category = null;
    visit(path);
    expect(await screen.findByRole('heading', { name: 'Categoria não encontrada' })).toBeTruthy();
    expect(robots()).toBe('noindex');
  },
);

test('a visitor who is not let in may sign in and come back; nothing of the category is asked for', async () => {
  service.category = DENIED;
  visit();
  expect(await screen.findByRole('heading', { name: 'Acesso negado' })).toBeTruthy();
  expect(
    screen.getByText('Esta categoria requer acesso restrito. Por favor, faça login para visualizar.'),
  ).toBeTruthy();
  for (const way of screen.getAllByRole('link', { name: 'Entrar' }))
    expect(way.getAttribute('href')).toBe(`/login?from=${encodeURIComponent(PATH)}`);
  expect(called('POST rpc/shared_links')).toEqual([]);
  expect(robots()).toBe('noindex');
});

test('who is signed in and not meant is told so, and as whom they came', async () => {
  service.category = DENIED;
  visitSignedIn();
  expect(await screen.findByText('Você não tem permissão para visualizar esta categoria.')).toBeTruthy();
  expect(screen.getByText('Você entrou como ana@exemplo.com.')).toBeTruthy();
});

test.each([
  ['among others', DENIED],
  ['alone', null],
])('who left a share that was theirs %s can let its owner invite them again', async (_, category) => {
  service.category = category;
  service.hasLeft = true;
  const { user } = visitSignedIn();
  expect(await screen.findByText('Você saiu deste compartilhamento.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Aceitar de novo' }));
  // On the page and, a moment later, for who listens to it.
  await waitFor(() =>
    expect(screen.getAllByText('Pronto. Quem compartilha já pode convidar você de novo.')).toHaveLength(2),
  );
  expect(called('POST rpc/return_to_share')).toMatchObject([{ body: { category_id: ID } }]);
});

describe('a page with a password', () => {
  beforeEach(() => sessionStorage.clear());

  test('says nothing else, and opens for whoever knows it, also after a reload', async () => {
    service.password = 'abre-te sésamo';
    const user = userEvent.setup();
    const { unmount } = visit();
    expect(await screen.findByRole('heading', { name: 'Esta página tem senha' })).toBeTruthy();
    expect(document.title).toBe('Esta página tem senha · Linkoteca');
    expect(robots()).toBe('noindex');
    expect(called('POST rpc/shared_links')).toEqual([]);
    const field = screen.getByLabelText('Senha');
    expect(document.activeElement).toBe(field);
    await user.click(screen.getByRole('button', { name: 'Abrir' }));
    expect(screen.getByText('Digite a senha.')).toBeTruthy();
    await user.type(field, 'errada{Enter}');
    expect(await screen.findByText('Senha incorreta')).toBeTruthy();
    await user.clear(field);
    await user.type(field, 'abre-te sésamo{Enter}');
    expect(await screen.findByRole('heading', { name: 'Receitas', level: 1 })).toBeTruthy();
    expect(await screen.findByRole('link', { name: 'Bolo de fubá' })).toBeTruthy();
    unmount();
    visit();
    expect(await screen.findByRole('heading', { name: 'Receitas', level: 1 })).toBeTruthy();
    expect(service.proofs.at(-1)).toBe('prova');
  });

  test('asks for the new one when it was changed, and sends the proof to no other page', async () => {
    service.password = 'uma';
    sessionStorage.setItem(`linkoteca-page-proof-${ID}`, 'prova');
    const { realtime } = visit();
    await screen.findByRole('heading', { name: 'Receitas', level: 1 });
    await waitFor(() => expect(realtime.send(TOPIC, 'changed')).toBe(true));
    sessionStorage.setItem(`linkoteca-page-proof-${ID}`, 'velha');
    act(() => void realtime.send(TOPIC, 'changed'));
    expect(await screen.findByRole('heading', { name: 'Esta página tem senha' })).toBeTruthy();
    service.proofs = [];
    renderApp(`/shared/${crypto.randomUUID()}`);
    await waitFor(() => expect(service.proofs).toContain(null));
  });

  test('says so after too many guesses', async () => {
    Object.assign(service, { password: 'uma', tooMany: true });
    const user = userEvent.setup();
    visit();
    await user.type(await screen.findByLabelText('Senha'), 'errada{Enter}');
    expect(await screen.findByText('Muitas tentativas. Espere alguns minutos e tente de novo.')).toBeTruthy();
  });

  test('opens where the browser keeps nothing', async () => {
    const { setItem } = Storage.prototype;
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(function (this: Storage, key, value) {
      if (key.startsWith('linkoteca-page-proof')) throw new DOMException('full', 'QuotaExceededError');
      setItem.call(this, key, value);
    });
    const id = crypto.randomUUID();
    Object.assign(service, { password: 'uma', category: shared('public', { id }) });
    const user = userEvent.setup();
    visit(`/shared/${id}`);
    await user.type(await screen.findByLabelText('Senha'), 'uma{Enter}');
    expect(await screen.findByRole('heading', { name: 'Receitas', level: 1 })).toBeTruthy();
    // It looks again by itself where this takes longer.
    expect([...new Set(service.proofs)]).toEqual([null, 'prova']);
  });
});

describe('asking for access', () => {
  test.each([
    ['that is restricted to others', DENIED],
    ['of which there is nothing to know', null],
  ])(
    'to a category %s: one press, a line, and it opens by itself when it is allowed',
    async (_, category) => {
      service.category = category;
      const { user, realtime } = visitSignedIn();
      await user.click(await screen.findByRole('button', { name: 'Pedir acesso' }));
      const note = screen.getByLabelText('Mensagem (opcional)');
      expect(document.activeElement).toBe(note);
      await user.type(note, 'Sou da turma 9B');
      await user.click(screen.getByRole('button', { name: 'Enviar pedido' }));
      expect(await screen.findByText('Pedido enviado')).toBeTruthy();
      expect(called('POST rpc/request_access')).toMatchObject([
        { body: { category_id: ID, note: 'Sou da turma 9B' } },
      ]);
      expect(screen.queryByRole('button', { name: 'Pedir acesso' })).toBeNull();
      service.category = shared('invited');
      await waitFor(() => expect(realtime.send(TOPIC, 'changed')).toBe(true));
      expect(await screen.findByRole('heading', { name: 'Receitas', level: 1 })).toBeTruthy();
    },
  );

  test('is not offered to visitors, to whoever left it, nor at an address that is none', async () => {
    service.category = DENIED;
    const visitor = visit();
    await screen.findByRole('heading', { name: 'Acesso negado' });
    expect(screen.queryByRole('button', { name: 'Pedir acesso' })).toBeNull();
    expect(called('POST rpc/has_requested_access')).toEqual([]);
    visitor.unmount();
    service.hasLeft = true;
    const left = visitSignedIn();
    await screen.findByRole('button', { name: 'Aceitar de novo' });
    expect(screen.queryByRole('button', { name: 'Pedir acesso' })).toBeNull();
    left.unmount();
    renderApp('/shared/nada', { auth: createFakeAuth(fakeSession()) });
    await screen.findByRole('heading', { name: 'Categoria não encontrada' });
    expect(screen.queryByRole('button', { name: 'Pedir acesso' })).toBeNull();
  });

  test('says that it was done, after a return', async () => {
    service.category = null;
    service.hasAsked = true;
    visitSignedIn();
    expect(await screen.findByText('Pedido enviado')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Pedir acesso' })).toBeNull();
  });

  test('too often is said in the database’s words, and keeps the line', async () => {
    service.category = null;
    service.askRefusal = {
      code: 'PT429',
      message: 'Você já fez muitos pedidos hoje. Tente de novo amanhã.',
      hint: 'too_many_requests',
    };
    const { user } = visitSignedIn();
    await user.click(await screen.findByRole('button', { name: 'Pedir acesso' }));
    await user.type(screen.getByLabelText('Mensagem (opcional)'), 'Oi');
    await user.click(screen.getByRole('button', { name: 'Enviar pedido' }));
    await notice('Você já fez muitos pedidos hoje. Tente de novo amanhã.');
    expect(screen.getByDisplayValue('Oi')).toBeTruthy();
  });
});

test('a free plan that opens only another share is told about the limit, with the way to the plans', async () => {
  service.category = shared('limited');
  const { user, path } = visitSignedIn();
  expect(await screen.findByRole('heading', { name: 'Acesso limitado' })).toBeTruthy();
  await notice('Limite de categorias compartilhadas atingido');
  await notice('Faça upgrade para um plano superior para receber mais compartilhamentos');
  expect(called('POST rpc/shared_links')).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Upgrade' }));
  await waitFor(() => expect(path()).toBe('/plans'));
});

test('access that ends while somebody looks sends them away at the next event, with its words', async () => {
  const { realtime, path } = visit();
  await screen.findByText('Compartilhado por: Dona Clara');
  await waitFor(() => expect(realtime.send(TOPIC, 'changed')).toBe(true));
  service.category = DENIED;
  service.calls = [];
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const endedAt = Date.now();
  act(() => void realtime.send(TOPIC, 'changed'));
  expect(await screen.findByText('Acesso revogado')).toBeTruthy();
  expect((called('POST rpc/shared_category')[0]?.at ?? Number.NaN) - endedAt).toBeLessThan(
    CACHE_MS.accessPoll,
  );
  expect(screen.getByText('Você não tem mais acesso a esta categoria.')).toBeTruthy();
  await notice('Acesso à categoria revogado ou não disponível');
  expect(path()).toBe('/');
  expect(screen.queryByText('Compartilhado por: Dona Clara')).toBeNull();
});

test('a link that was removed goes at the next event also after the clock was set back', async () => {
  const { realtime } = visit(PATH, createFakeRealtime({ live: false }));
  await screen.findByRole('link', { name: 'Bolo de fubá' });
  await waitFor(() => expect(realtime.source.getState()).toBe('interrupted'));
  service.links = [link('Pudim')];
  realtime.setLive(true);
  await screen.findByRole('link', { name: 'Pudim' });
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  vi.setSystemTime(Date.now() - 6 * 3_600_000);
  service.links = [];
  realtime.send(TOPIC, 'changed');
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Pudim' })).toBeNull());
});

test('somebody who was invited hears of their own shares, too, and is not sent on to the dashboard', async () => {
  service.category = shared('invited');
  const { realtime, path } = visitSignedIn();
  expect(await screen.findByText('Compartilhamento Restrito')).toBeTruthy();
  expect(robots()).toBe('noindex');
  await waitFor(() =>
    expect(realtime.subscriptions()).toMatchObject([
      { table: 'shared_with', filter: 'email=eq.ana@exemplo.com' },
    ]),
  );
  service.category = null;
  act(() => realtime.tell({ table: 'shared_with', operation: 'DELETE', before: { category_id: ID } }));
  expect(await screen.findByRole('heading', { name: 'Acesso revogado' })).toBeTruthy();
  expect(path()).toBe('/');
});

test('without realtime a look every 3 seconds finds out', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    renderApp(PATH);
    await screen.findByText('Compartilhado por: Dona Clara');
    service.category = null;
    await act(() => vi.advanceTimersByTimeAsync(3_100));
    expect(await screen.findByRole('heading', { name: 'Acesso revogado' })).toBeTruthy();
  } finally {
    vi.useRealTimers();
  }
});

test('whoever pressed Entrar on the page of the server comes back to the category, to copy it if they asked for that', async () => {
  renderApp(`/login?from=${encodeURIComponent(`${PATH}?app=1&copy=1`)}`, {
    auth: createFakeAuth(fakeSession()),
  });
  expect(await screen.findByRole('dialog', { name: 'Copiar para minha biblioteca' })).toBeTruthy();
});

test('the page of the server that loses its category leads to the same end', async () => {
  service.category = null;
  visit(`${PATH}?app=1&revoked=1`);
  expect(await screen.findByRole('heading', { name: 'Acesso revogado' })).toBeTruthy();
});

test('a first look that fails says so at /, and a later one changes nothing', async () => {
  const { realtime } = visit();
  await screen.findByText('Compartilhado por: Dona Clara');
  await waitFor(() => expect(realtime.send(TOPIC, 'changed')).toBe(true));
  service.broken = true;
  act(() => void realtime.send(TOPIC, 'changed'));
  for (const read of [/shared-category/, /shared-links/]) await waitFor(() => expectConsoleError(read));
  expect(screen.getByText('Compartilhado por: Dona Clara')).toBeTruthy();
});

test('access that cannot be checked leads to / and can be tried again', async () => {
  service.broken = true;
  const { path } = visit();
  await screen.findByText('Erro ao verificar acesso à categoria');
  expectConsoleError(/read failed/);
  expect(path()).toBe('/');
  service.broken = false;
  await userEvent.click(screen.getByRole('button', { name: 'Tentar de novo' }));
  expect(await screen.findByText('Compartilhado por: Dona Clara')).toBeTruthy();
});

test('an owner finds the way to where they can change it, and no copy', async () => {
  service.category = shared('owner');
  visitSignedIn();
  expect((await screen.findByRole('link', { name: 'Abrir no organizador' })).getAttribute('href')).toBe(
    `/category/${ID}`,
  );
  expect(screen.queryByText('Copiar para minha biblioteca')).toBeNull();
  expect(screen.queryByText('Criar Conta Grátis')).toBeNull();
});

test('a viewer copies it into a folder and takes that back', async () => {
  const { user } = visitSignedIn();
  await user.click(await screen.findByRole('button', { name: 'Copiar para minha biblioteca' }));
  await user.click(await screen.findByRole('option', { name: /Cozinha/ }));
  await notice('Categoria copiada para Cozinha');
  expect(called('POST rpc/copy_shared_category')[0]?.body).toEqual({ category_id: ID, folder_id: 'f1' });
  expect(screen.getByRole('link', { name: 'Abrir minha cópia' }).getAttribute('href')).toBe(
    '/category/c0000000-0000-4000-8000-000000000001',
  );
  await user.click(screen.getByRole('button', { name: 'Desfazer' }));
  await notice('Cópia desfeita');
  expect(called('DELETE categories')[0]?.what).toContain('id=eq.c0000000-0000-4000-8000-000000000001');
  expect(screen.getByRole('button', { name: 'Copiar para minha biblioteca' })).toBeTruthy();
});

test('a plan without room says so and leads to the plans; the folder made for the copy goes again', async () => {
  service.copyRefusal = {
    code: 'P0001',
    message: 'Limite de links atingido',
    hint: 'plan_limit_links',
    details: '{"max":20}',
  };
  const { user, path } = visitSignedIn();
  await user.click(await screen.findByRole('button', { name: 'Copiar para minha biblioteca' }));
  await user.click(await screen.findByRole('option', { name: /Receitas/ }));
  await notice('Limite de 20 links atingido');
  await waitFor(() => expect(path()).toBe('/plans'));
  const made = called('POST folders')[0]?.body['id'];
  expect(called('DELETE folders')[0]?.what).toContain(`id=eq.${made}`);
});

describe('the order and the filter', () => {
  const WORDS = ['Bolo', 'Pão', 'Ácido', 'Doce', 'Grão', 'Erva', 'Feijão', 'Hortelã'];
  const shown = () =>
    within(screen.getByRole('list', { name: 'Links' }))
      .getAllByRole('link')
      .map((each) => each.textContent);
  const dated = (titles: readonly string[]): Row[] =>
    titles.map((title, at) => ({
      ...link(title),
      created_at: `2025-05-11T12:00:00.${String(900 - at).padStart(3, '0')}Z`,
    }));

  test('narrow what everybody sees, by F and a letter, and order it; the order stays', async () => {
    service.category = shared('public', { link_count: 8 });
    service.links = dated(WORDS);
    visit();
    const user = userEvent.setup();
    await screen.findByRole('link', { name: 'Bolo' });
    expect(shown()).toEqual(WORDS);
    await user.keyboard('f');
    await user.keyboard('ao');
    expect(shown()).toEqual(['Pão', 'Grão', 'Feijão']);
    await user.keyboard('x');
    expect(screen.getByText('Nenhum link desta categoria com “aox”')).toBeTruthy();
    await user.keyboard('{Escape}');
    await user.click(screen.getByRole('button', { name: 'Ordem: Mais novos' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Título, A–Z' }));
    expect(shown()).toEqual(['Ácido', 'Bolo', 'Doce', 'Erva', 'Feijão', 'Grão', 'Hortelã', 'Pão']);
    expect(localStorage.getItem('linkoteca-link-order')).toBe('title');
  });

  test('are not offered for few links', async () => {
    visit();
    await screen.findByRole('link', { name: 'Bolo de fubá' });
    expect(screen.queryByRole('button', { name: /^Ordem/ })).toBeNull();
  });

  test('read the rest before they say that nothing fits, and begin at the field for whoever asked for it', async () => {
    const titles = Array.from({ length: 60 }, (_, at) => `Livro ${at}`);
    const all = dated(titles.with(59, 'O último'));
    service.category = shared('public', { link_count: 60 });
    const held = Promise.withResolvers<void>();
    service.answerLinks = (asked, say) =>
      say(asked['before'] === undefined ? all.slice(0, 50) : all.slice(50));
    vi.stubGlobal('fetch', async (...asked: Parameters<typeof answer>) => {
      if (String(asked[1]?.body).includes('"before"')) await held.promise;
      return answer(...asked);
    });
    visit(`${PATH}?app=1&filter=1`);
    const user = userEvent.setup();
    const field = await screen.findByLabelText('Filtrar os links desta categoria');
    await waitFor(() => expect(document.activeElement).toBe(field));
    await user.keyboard('ultimo');
    expect(await screen.findByText('Carregando mais links...')).toBeTruthy();
    expect(screen.queryByText(/Nenhum link/)).toBeNull();
    held.resolve();
    expect(await screen.findByRole('link', { name: 'O último' })).toBeTruthy();
    expect(screen.queryByText('Carregando mais links...')).toBeNull();
  });
});
