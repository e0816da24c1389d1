import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createFakeAuth, fakeSession } from '../../shared/test/create-fake-auth.ts';
import { expectConsoleError } from '../../shared/test/setup-browser-tests.ts';
import { fakeLibrary } from '../test/fake-library.ts';
import { loadScreens, renderApp } from '../test/render-app.tsx';

const OWNER = '33333333-3333-4333-8333-333333333333';
const SHARED = '44444444-4444-4444-8444-444444444444';

let library: ReturnType<typeof fakeLibrary>;
let asked: { readonly path: string; readonly body: Record<string, unknown> }[];
let received: (body: Record<string, unknown>) => readonly object[] | Response;
let own: readonly object[];

const receivedLink = (number: number, title = `Pão ${number}`) => ({
  id: `recebido-${number}`,
  title,
  description: null,
  url: `https://padaria.com/${number}`,
  category_id: SHARED,
  category_name: 'Pães da Ana',
  owner_name: 'Ana Luíza',
});

beforeAll(async () => {
  await loadScreens();
  await Promise.all([
    import('../pages/search-route.tsx'),
    import('./search/search-extras.tsx'),
    import('@linkoteca/domain/search-filters'),
  ]);
}, 60_000);

beforeEach(() => {
  library = fakeLibrary();
  asked = [];
  received = () => [];
  own = [];
  localStorage.removeItem('linkoteca-theme');
  vi.stubGlobal('fetch', async (input: string | URL | Request, init?: RequestInit) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const path = url.pathname.replace(/^.*\/rest\/v1\//, '');
    if (path === 'rpc/suggest_search') return Response.json(null);
    if (/^rpc\/search_/.test(path)) {
      const body = JSON.parse(String(init?.body));
      asked.push({ path, body });
      if (path !== 'rpc/search_received_links') return Response.json(own);
      const answer = received(body);
      return answer instanceof Response ? answer : Response.json(answer);
    }
    return library.fetch(input, init);
  });
  Element.prototype.scrollIntoView = () => undefined;
});

afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.removeItem('linkoteca-theme');
  delete document.documentElement.dataset['theme'];
});

/** Somebody shares 'Pães da Ana' with the person. */
function beginShared() {
  library.add('categories', {
    id: SHARED,
    name: 'Pães da Ana',
    user_id: OWNER,
    name_users: 'Ana Luíza',
    folder_id: 'f',
  });
  library.add('shared_with', { category_id: SHARED, email: fakeSession().user.email });
}

async function open(path = '/plans') {
  const view = renderApp(path, { auth: createFakeAuth(fakeSession()) });
  const user = userEvent.setup();
  const field = (await screen.findByRole('combobox', { name: 'Buscar links' })) as HTMLInputElement;
  const type = async (text: string) => {
    await user.clear(field);
    await user.click(field);
    await user.paste(text);
  };
  return { ...view, user, field, type };
}

const askedFor = (path: string) => asked.filter((request) => request.path === `rpc/${path}`);
const group = (name: string) => screen.findByRole('group', { name });

test('links of others stand in a group of their own, below one’s own, and open', async () => {
  beginShared();
  received = () => [receivedLink(1)];
  own = [{ ...receivedLink(9, 'Meu pão'), category_id: 'c', category_name: 'Receitas' }];
  const open_ = vi.spyOn(window, 'open').mockReturnValue(null);
  const { type, user, path } = await open();
  await screen.findByRole('button', { name: /^Compartilhados.*1/ });
  await type('pao');
  const shared = await group('Compartilhados com você');
  expect(within(shared).getByRole('option').textContent).toMatch(/Pães da Ana.*Por: Ana Luíza/);
  expect(screen.getAllByRole('option').map(({ id }) => id.replace(/^.*-(?=link|received)/, ''))).toEqual([
    'link-recebido-9',
    'received-recebido-1',
  ]);
  expect(screen.getByText('2 links')).toBeTruthy();
  expect(askedFor('search_received_links').map(({ body }) => body)).toEqual([
    { term: 'pao', max_results: 4 },
  ]);
  await user.keyboard('{ArrowUp}{Enter}');
  expect(open_.mock.calls).toEqual([['https://padaria.com/1', '_blank', 'noopener,noreferrer']]);
  await user.keyboard('{Control>}{Enter}{/Control}');
  await waitFor(() => expect(path()).toBe(`/category/${SHARED}`));
});

test('a received category is found by its name and by its owner’s', async () => {
  beginShared();
  const { type, user, path } = await open();
  await screen.findByRole('button', { name: /^Compartilhados.*1/ });
  await type('luiza');
  const places = await group('Pastas e categorias');
  expect(within(places).getByRole('option').textContent).toBe('Pães da AnaPor: Ana Luíza');
  await user.keyboard('{ArrowDown}{Enter}');
  await waitFor(() => expect(path()).toBe(`/category/${SHARED}`));
});

test('who receives nothing has nothing asked for', async () => {
  const { type } = await open();
  await type('pao');
  await waitFor(() => expect(askedFor('search_links')).toHaveLength(1));
  expect(await screen.findByText('Nenhum resultado encontrado')).toBeTruthy();
  expect(askedFor('search_received_links')).toEqual([]);
});

test('de: asks for what that person shares, alone, and offers names', async () => {
  beginShared();
  received = () => [receivedLink(1)];
  const { type, user, field } = await open();
  await screen.findByRole('button', { name: /^Compartilhados.*1/ });
  await type('de:lu');
  await user.click(await screen.findByRole('option', { name: 'de:"Ana Luíza"' }));
  expect(field.value).toBe('de:"Ana Luíza" ');
  await group('Compartilhados com você');
  expect(askedFor('search_received_links').map(({ body }) => body)).toContainEqual({
    term: '',
    owner: 'ana luiza',
    max_results: 4,
  });
  expect(asked.filter(({ path }) => path !== 'rpc/search_received_links')).toEqual([]);
  await type('de:bia');
  expect(await screen.findByText('Ninguém chamado “bia” compartilha com você')).toBeTruthy();
});

test('de: offers whoever shares a folder, too', async () => {
  library.tables['received_folders'] = [
    {
      folder_id: 'f',
      name: 'Pães',
      owner_id: OWNER,
      owner_name: 'Ana Luíza',
      role: 'viewer',
      may_write: false,
    },
  ];
  library.add('categories', { id: SHARED, name: 'Pães da Ana', user_id: OWNER, folder_id: 'f' });
  received = () => [receivedLink(1)];
  const { type, user, field } = await open();
  await screen.findByRole('button', { name: /^Compartilhados.*1/ });
  await type('de:lu');
  await user.click(await screen.findByRole('option', { name: 'de:"Ana Luíza"' }));
  expect(field.value).toBe('de:"Ana Luíza" ');
  expect(await group('Compartilhados com você')).toBeTruthy();
});

test('the page of results shows them below one’s own, page by page', async () => {
  beginShared();
  received = ({ page }) =>
    page === 1 ? Array.from({ length: 20 }, (_, n) => receivedLink(n)) : [receivedLink(20)];
  const { user } = await open('/search?q=pao');
  expect(await screen.findByText(/Nenhum dos seus links/)).toBeTruthy();
  const section = (await screen.findByRole('heading', { name: 'Compartilhados com você' })).closest(
    'section',
  );
  const titles = () => [...(section?.querySelectorAll('h3') ?? [])].map(({ textContent }) => textContent);
  expect(titles()).toHaveLength(20);
  expect(section?.querySelector('[data-category]')?.getAttribute('href')).toBe(`/category/${SHARED}`);
  await user.click(screen.getByRole('button', { name: 'Mostrar mais' }));
  await waitFor(() => expect(titles()).toHaveLength(21));
  expect(screen.queryByRole('button', { name: 'Mostrar mais' })).toBeNull();
});

test('the page says so when what others share could not be searched, and tries again', async () => {
  beginShared();
  received = () => Response.json({ code: '57014', message: 'não' }, { status: 400 });
  const { user } = await open('/search?q=de%3Aana');
  expect(await screen.findByText('Não conseguimos buscar no que compartilham com você')).toBeTruthy();
  expectConsoleError(/read failed/);
  received = () => [receivedLink(1)];
  await user.click(screen.getByRole('button', { name: 'Tentar de novo' }));
  expect(await screen.findByRole('link', { name: 'Pão 1' })).toBeTruthy();
  expect(screen.queryByText(/Nenhum dos seus links/)).toBeNull();
});

test('commands are found by other words for them, and act at once', async () => {
  const { type, user, path, field } = await open();
  await type('apagados');
  expect(within(await group('Comandos')).getByRole('option').textContent).toBe('Lixeira');
  await user.keyboard('{ArrowDown}{Enter}');
  await waitFor(() => expect(path()).toBe('/lixeira'));
  expect(field.value).toBe('');
});

test('> narrows to commands, all of them at first; Enter acts on the best', async () => {
  const { type, user } = await open();
  await type('>');
  await waitFor(() => expect(screen.getAllByRole('option').length).toBeGreaterThan(15));
  expect(screen.getByText(/^\d+ resultados$/)).toBeTruthy();
  await type('> tema esc');
  await waitFor(() =>
    expect(screen.getAllByRole('option').map((o) => o.textContent)).toEqual(['Tema escuro']),
  );
  expect(screen.queryByText('Ver todos os resultados')).toBeNull();
  await user.keyboard('{Enter}');
  expect(document.documentElement.dataset['theme']).toBe('dark');
  expect(await screen.findByRole('button', { name: /^Tema escuro/ })).toBeTruthy();
  await type('> tema do sis');
  await user.keyboard('{Enter}');
  expect(document.documentElement.dataset['theme']).toBeUndefined();
  await type('> nova pasta');
  await waitFor(() =>
    expect(screen.getAllByRole('option').map((o) => o.textContent)).toEqual(['Nova pasta']),
  );
  await type('>não há');
  expect(await screen.findByText('Nenhum comando com esse nome')).toBeTruthy();
  expect(asked).toEqual([]);
});

test('a command opens its dialog', async () => {
  const { type, user } = await open();
  await type('nova pas');
  await group('Comandos');
  await user.keyboard('{ArrowDown}{Enter}');
  const name = await screen.findByLabelText('Nome da Pasta');
  await waitFor(() => expect(document.activeElement).toBe(name));
});

test('a command, and the dialog that it opens, give the keyboard back to where it was called', async () => {
  const { user, field } = await open();
  const before = screen.getByRole('link', { name: 'Linkoteca, ir para o início' });
  act(() => before.focus());
  const command = async (typed: string, label: string) => {
    await user.keyboard('{Control>}k{/Control}');
    expect(document.activeElement).toBe(field);
    await user.paste(typed);
    await waitFor(() => expect(screen.getAllByRole('option').map((o) => o.textContent)).toEqual([label]));
    await user.keyboard('{Enter}');
  };
  await command('> tema esc', 'Tema escuro');
  expect(document.documentElement.dataset['theme']).toBe('dark');
  expect(document.activeElement).toBe(before);
  await command('> nova pasta', 'Nova pasta');
  const name = await screen.findByLabelText('Nome da Pasta');
  await waitFor(() => expect(document.activeElement).toBe(name));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(document.activeElement).toBe(before));
});

test('one’s own link says its folder and its category', async () => {
  const folder = library.add('folders', { name: 'Cozinha' });
  library.add('categories', { id: 'c', name: 'Receitas', folder_id: folder['id'] });
  own = [{ ...receivedLink(9, 'Broa'), category_id: 'c', category_name: 'Receitas' }];
  const { type } = await open();
  await screen.findByRole('treeitem', { name: 'Cozinha' });
  await type('broa');
  expect((await screen.findByRole('option')).textContent).toContain('Cozinha › Receitas');
  expect(screen.getByText('1 link')).toBeTruthy();
});

test('one’s own tags are found by name, those of most links first, and show their links', async () => {
  for (const [id, name, link_count] of [
    ['t1', 'Pão doce', 2],
    ['t2', 'Pães salgados', 7],
    ['t3', 'Viagem', 9],
  ] as const)
    library.add('tags', {
      id,
      name,
      link_count,
      color: null,
      tagged_at: null,
      user_id: fakeSession().user.id,
    });
  const { type, user, path } = await open();
  await type('pa');
  const tags = await group('Tags');
  expect(
    within(tags)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['Pães salgados7 links', 'Pão doce2 links']);
  await user.click(within(tags).getByRole('option', { name: /Pão doce/ }));
  await waitFor(() => expect(path()).toContain('/search'));
  await waitFor(() =>
    expect(askedFor('search_links_by').map(({ body }) => body)).toContainEqual(
      expect.objectContaining({ tags: ['pao doce'] }),
    ),
  );
});

test('who asks for a tag asks for nothing of others', async () => {
  beginShared();
  const { type } = await open();
  await screen.findByRole('button', { name: /^Compartilhados.*1/ });
  await type('tag:pão');
  await waitFor(() => expect(askedFor('search_links_by')).toHaveLength(1));
  expect(askedFor('search_received_links')).toEqual([]);
});

test.each([
  ['repetidos', 'Links repetidos', '/repetidos'],
  ['etiquetas', 'Tags', '/tags'],
])('“%s” leads to %s', async (typed, label, to) => {
  const { type, user, path } = await open();
  await type(typed);
  await user.click(await screen.findByRole('option', { name: new RegExp(`^${label}`) }));
  await waitFor(() => expect(path()).toBe(to));
});
