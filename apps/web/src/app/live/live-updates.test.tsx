import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import { log } from '../../shared/lib/log.ts';
import { fakeSession } from '../../shared/test/create-fake-auth.ts';
import { letPass } from '../../shared/test/let-pass.ts';
import { beginLive, READS_MS } from '../test/begin-live.ts';

const BADGE = 'Atualizado agora';

const { library, live, link, open, openCategory, elsewhere, inTree, findInTree, counters, reads } =
  beginLive();
const inSidebar = () => within(screen.getByRole('complementary'));
const card = (title: string) => screen.queryByRole('article', { name: title }) ?? screen.queryByText(title);

describe('what another browser does appears without asking', () => {
  test('a folder that comes, changes its name and goes; the dashboard counts along', async () => {
    await open('/dashboard');
    const added = elsewhere.add('folders', { name: 'Viagens' });
    expect(await findInTree('Viagens')).toBeTruthy();
    expect(counters()).toEqual(['2', '1', '1']);
    elsewhere.change('folders', added, { name: 'Férias' });
    expect(await findInTree('Férias')).toBeTruthy();
    expect(inTree('Viagens')).toBeNull();
    await elsewhere.remove('folders', added);
    await waitFor(() => expect(inTree('Férias')).toBeNull());
    expect(counters()).toEqual(['1', '1', '1']);
  });

  test('a colour and an emoji for a folder, without a word: they may be this tab’s own', async () => {
    await open('/dashboard');
    const look = { folder_id: live.folder['id'], user_id: fakeSession().user.id, color: 'blue', emoji: '📚' };
    elsewhere.add('folder_looks', look);
    const row = await findInTree('Estudos');
    await waitFor(() => expect(row.textContent).toContain('📚'));
    expect(row.querySelector<HTMLElement>('[style]')?.style.background).toBe('var(--folder-6)');
    // The card of a category in it as well.
    expect(screen.getAllByText('📚')).toHaveLength(2);
    expect(screen.queryByText('Atualizado agora')).toBeNull();
  });

  test('a category that comes, moves to another folder, and takes its links along when it goes', async () => {
    const other = library.add('folders', { name: 'Viagens' });
    await open('/dashboard');
    const added = elsewhere.add('categories', {
      name: 'Mapas',
      folder_id: live.folder['id'],
      is_public: false,
    });
    elsewhere.add('links', link('Brasil', added));
    await waitFor(() => expect(counters()).toEqual(['2', '2', '2']));
    elsewhere.change('categories', added, { folder_id: other['id'] });
    await userEvent.setup().click(await findInTree('Viagens'));
    expect(await findInTree('Mapas')).toBeTruthy();
    await elsewhere.remove('categories', added);
    await waitFor(() => expect(inTree('Mapas')).toBeNull());
    expect(counters()).toEqual(['2', '1', '1']);
    // Its links are told of as well: they went with it, and are not taken off twice.
    act(() =>
      live.realtime.tell({
        table: 'links',
        operation: 'DELETE',
        before: { id: 'x', category_id: added['id'] },
      }),
    );
    await act(() => letPass(150));
    expect(counters()).toEqual(['2', '1', '1']);
  });

  test('a link that comes, changes, moves away and back, and goes, each in its place', async () => {
    const other = library.add('categories', {
      name: 'Outra',
      folder_id: live.folder['id'],
      is_public: false,
    });
    await openCategory();
    const added = elsewhere.add('links', link('Cabo'));
    expect(await screen.findByText('Cabo')).toBeTruthy();
    const titles = () =>
      [...document.querySelectorAll('[data-link-id] h3, [data-link-id] a')].map((each) => each.textContent);
    expect(titles().findIndex((title) => title?.includes('Cabo'))).toBeLessThan(
      titles().findIndex((title) => title?.includes('Roteador')),
    );
    elsewhere.change('links', added, { title: 'Cabo azul' });
    expect(await screen.findByText('Cabo azul')).toBeTruthy();
    elsewhere.change('links', added, { category_id: other['id'] });
    await waitFor(() => expect(card('Cabo azul')).toBeNull());
    elsewhere.change('links', added, { category_id: live.category['id'] });
    expect(await screen.findByText('Cabo azul')).toBeTruthy();
    await elsewhere.remove('links', added);
    await waitFor(() => expect(card('Cabo azul')).toBeNull());
    expect(card('Roteador')).toBeTruthy();
  });

  test('a burst of a thousand costs few reads, and none of the links themselves', async () => {
    await openCategory(READS_MS);
    act(() => {
      for (let index = 0; index < 1_000; index += 1) {
        const row = library.add('links', link(`Link ${index}`));
        live.realtime.tell({ table: 'links', operation: 'INSERT', row: { ...row } });
      }
    });
    expect(await screen.findByText('Link 999')).toBeTruthy();
    await act(() => letPass(700));
    expect(reads()).not.toContain('GET links');
    expect(reads().length).toBeLessThanOrEqual(6);
    expect(screen.getByText(/1\.001 links/)).toBeTruthy();
  });

  test('the open category, when it goes, leads to the dashboard and says so', async () => {
    const { path } = await openCategory();
    await elsewhere.remove('categories', live.category);
    await waitFor(() => expect(path()).toBe('/dashboard'));
    expect(await screen.findByText('Categoria não encontrada ou acesso não autorizado')).toBeTruthy();
  });

  test('a link that was picked and goes is no longer picked', async () => {
    const second = library.add('links', link('Cabo'));
    const { user } = await openCategory();
    await user.click(screen.getByRole('button', { name: 'Selecionar' }));
    await user.click(screen.getByRole('button', { name: /Selecionar todos/ }));
    expect(await screen.findByText('2 selecionados')).toBeTruthy();
    await elsewhere.remove('links', second);
    expect(await screen.findByText('1 selecionado')).toBeTruthy();
  });

  test('a plan that changes opens its limits at once', async () => {
    await open('/dashboard');
    const usage = () =>
      screen.getByRole('progressbar', { name: 'Links usados' }).closest('aside')?.textContent;
    expect(usage()).toContain('1/20');
    const plus = { user_id: live.category['user_id'], plan: 'plus', subscription_status: 'active' };
    library.tables['subscribers'] = [plus];
    act(() => live.realtime.tell({ table: 'subscribers', operation: 'INSERT', row: plus }));
    await waitFor(() => expect(usage()).toContain('1/500'));
  });

  test('what others share comes and goes in the sidebar', async () => {
    const { user } = await open('/dashboard');
    await user.click(screen.getByRole('button', { name: 'Compartilhados' }));
    const theirs = library.add('categories', { name: 'Receitas', user_id: 'outra', name_users: 'Clara' });
    const share = { category_id: theirs['id'], email: 'ana@exemplo.com', created_at: '2025-05-11T12:00:00Z' };
    library.table('shared_with').push(share);
    act(() => live.realtime.tell({ table: 'shared_with', operation: 'INSERT', row: share }));
    expect(await inSidebar().findByText('Receitas')).toBeTruthy();
    await waitFor(() =>
      expect(live.realtime.subscriptions()).toContainEqual(
        expect.objectContaining({ table: 'categories', filter: `id=in.(${String(theirs['id'])})` }),
      ),
    );
    elsewhere.change('categories', theirs, { name: 'Receitas doces' });
    expect(await inSidebar().findByText('Receitas doces')).toBeTruthy();
    // Somebody else's category is none of one's own.
    expect(inTree('Receitas doces')).toBeNull();
    library.tables['shared_with'] = [];
    act(() => live.realtime.tell({ table: 'shared_with', operation: 'DELETE', before: share }));
    await waitFor(() => expect(screen.queryByText('Receitas doces')).toBeNull());
  });

  test('a share that is taken back leaves even where no more is told of it than its key', async () => {
    const theirs = library.add('categories', { name: 'Receitas', user_id: 'outra', name_users: 'Clara' });
    const share = { category_id: theirs['id'], email: 'ana@exemplo.com', created_at: '2025-05-11T12:00:00Z' };
    const { user } = await open('/dashboard');
    await user.click(screen.getByRole('button', { name: 'Compartilhados' }));
    library.table('shared_with').push(share);
    act(() => live.realtime.tell({ table: 'shared_with', operation: 'INSERT', row: share }));
    expect(await inSidebar().findByText('Receitas')).toBeTruthy();
    library.tables['shared_with'] = [];
    act(() => live.realtime.tell({ table: 'shared_with', operation: 'DELETE', before: { id: 'chave' } }));
    await waitFor(() => expect(screen.queryByText('Receitas')).toBeNull());
  });

  test('an invitation that is taken back elsewhere is asked for again, even where only its key is told', async () => {
    await open('/dashboard');
    live.requests.length = 0;
    act(() => live.realtime.tell({ table: 'shared_with', operation: 'DELETE', before: { id: 'chave' } }));
    await waitFor(() => expect(live.requests).toContain('GET categories'));
  });

  test('one share more than the plan opens is told, with the way to the plans; the first is not', async () => {
    const { user, path } = await open('/dashboard');
    const receive = (name: string) => {
      const theirs = library.add('categories', { name, user_id: 'outra', name_users: 'Clara' });
      const share = { category_id: theirs['id'], email: 'ana@exemplo.com', created_at: theirs['created_at'] };
      library.table('shared_with').push(share);
      act(() => live.realtime.tell({ table: 'shared_with', operation: 'INSERT', row: share }));
    };
    await user.click(screen.getByRole('button', { name: 'Compartilhados' }));
    receive('Receitas');
    expect(await inSidebar().findByText('Receitas')).toBeTruthy();
    expect(screen.queryByText('Limite de categorias compartilhadas atingido')).toBeNull();
    receive('Bordados');
    expect(await screen.findByText('Limite de categorias compartilhadas atingido')).toBeTruthy();
    expect(
      screen.getByText('Faça upgrade para um plano superior para receber mais compartilhamentos'),
    ).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Upgrade' }));
    await waitFor(() => expect(path()).toBe('/plans'));
  });

  test('an order that a category gets, and a link that goes to another place in it, once and not again as an echo', async () => {
    library.add('links', link('Cabo'));
    await openCategory(READS_MS);
    const titles = () =>
      within(screen.getByRole('list', { name: 'Links' }))
        .getAllByRole('link')
        .map((each) => each.textContent);
    expect(titles()).toEqual(['Cabo', 'Roteador']);
    const order = {
      id: 'o1',
      category_id: live.category['id'],
      link_id: null,
      rank: null,
      user_id: live.category['user_id'],
    };
    library.table('manual_order').push(order);
    act(() => live.realtime.tell({ table: 'manual_order', operation: 'INSERT', row: order }));
    expect(await screen.findByRole('button', { name: 'Ordem: Minha ordem' })).toBeTruthy();
    await waitFor(() => expect(live.requests).toContain('POST arranged_links'));
    const [cabo] = library.table('links');
    const place = {
      id: 'o2',
      category_id: null,
      link_id: cabo?.['id'],
      rank: '01',
      user_id: live.category['user_id'],
    };
    library.table('manual_order').push(place);
    act(() => live.realtime.tell({ table: 'manual_order', operation: 'INSERT', row: place }));
    await waitFor(() => expect(titles()).toEqual(['Roteador', 'Cabo']));
    await act(() => letPass(READS_MS));
    live.requests = [];
    // As what this tab has written comes back.
    act(() => live.realtime.tell({ table: 'manual_order', operation: 'UPDATE', row: place, before: place }));
    act(() => live.realtime.tell({ table: 'manual_order', operation: 'INSERT', row: order }));
    await act(() => letPass(READS_MS));
    expect(live.requests).not.toContain('POST arranged_links');
    expect(reads()).toEqual([]);
    expect(screen.queryByText(BADGE)).toBeNull();
  });

  test('the order of a received category, whose owner changes it', async () => {
    const theirs = library.add('categories', { name: 'Receitas', user_id: 'outra', name_users: 'Clara' });
    for (const title of ['Pão', 'Bolo']) library.add('links', { ...link(title, theirs), user_id: 'outra' });
    const share = { category_id: theirs['id'], email: 'ana@exemplo.com', created_at: '2025-05-11T12:00:00Z' };
    library.table('shared_with').push(share);
    await open(`/category/${String(theirs['id'])}`);
    const titles = () =>
      screen.getAllByRole('link', { name: /^(Pão|Bolo)$/ }).map((each) => each.textContent);
    expect(titles()).toEqual(['Bolo', 'Pão']);
    const [bolo] = library.table('links');
    library.table('manual_order').push({ category_id: theirs['id'] }, { link_id: bolo?.['id'], rank: '01' });
    let heard = false;
    act(() => {
      heard = live.realtime.send(`shared:${String(theirs['id'])}`, 'changed');
    });
    expect(heard).toBe(true);
    await waitFor(() => expect(titles()).toEqual(['Pão', 'Bolo']));
  });

  test('a received category that is open, however many are shared before it', async () => {
    for (let at = 0; at < 101; at += 1) {
      const { id } = library.add('categories', {
        name: `Receitas ${at}`,
        user_id: 'outra',
        name_users: 'Clara',
      });
      const share = { category_id: id, email: 'ana@exemplo.com', created_at: '2025-05-11T12:00:00Z' };
      library.table('shared_with').push(share);
    }
    library.tables['subscribers'] = [
      { user_id: fakeSession().user.id, plan: 'pro', subscription_status: 'active' },
    ];
    const last = library.table('shared_with').at(-1)?.['category_id'];
    await open(`/category/${String(last)}`);
    let heard = false;
    act(() => {
      heard = live.realtime.send(`shared:${String(last)}`, 'changed');
    });
    expect(heard).toBe(true);
  });

  test('what came to a received category between its being read and its being told', async () => {
    const theirs = library.add('categories', { name: 'Receitas', user_id: 'outra', name_users: 'Clara' });
    library.add('links', { ...link('Pão', theirs), user_id: 'outra' });
    library.table('shared_with').push({
      category_id: theirs['id'],
      email: 'ana@exemplo.com',
      created_at: '2025-05-11T12:00:00Z',
    });
    const { user } = await open('/dashboard', READS_MS);
    const answered = fetch;
    vi.stubGlobal('fetch', async (...[input, init]: Parameters<typeof fetch>) => {
      const response = await answered(input, init);
      if (String(input).includes('/links?')) {
        vi.stubGlobal('fetch', answered);
        library.add('links', { ...link('Bolo', theirs), user_id: 'outra' });
      }
      return response;
    });
    await user.click(await inSidebar().findByText('Receitas'));
    expect(await screen.findByRole('link', { name: 'Bolo' })).toBeTruthy();
  });

  test('a received category that is open leads to the dashboard when it is taken back, with its words', async () => {
    const theirs = library.add('categories', { name: 'Receitas', user_id: 'outra', name_users: 'Clara' });
    const share = { category_id: theirs['id'], email: 'ana@exemplo.com', created_at: '2025-05-11T12:00:00Z' };
    library.table('shared_with').push(share);
    const { path } = await open(`/category/${String(theirs['id'])}`);
    expect(await screen.findByText('Compartilhado por: Clara')).toBeTruthy();
    library.tables['shared_with'] = [];
    act(() => live.realtime.tell({ table: 'shared_with', operation: 'DELETE', before: share }));
    expect(await screen.findByText('Categoria não encontrada ou acesso não autorizado')).toBeTruthy();
    expect(path()).toBe('/dashboard');
  });
});

describe('the badge', () => {
  test('shows for three seconds that something changed elsewhere, and is said once', async () => {
    await open('/dashboard');
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'performance', 'requestAnimationFrame', 'Date'],
    });
    try {
      elsewhere.add('folders', { name: 'Viagens' });
      await act(() => vi.advanceTimersByTimeAsync(50));
      expect(screen.getByText(BADGE)).toBeTruthy();
      elsewhere.add('folders', { name: 'Férias' });
      await act(() => vi.advanceTimersByTimeAsync(2_900));
      expect(screen.getByText(BADGE)).toBeTruthy();
      expect(screen.getAllByText('Sua biblioteca mudou em outro lugar e foi atualizada.')).toHaveLength(1);
      await act(() => vi.advanceTimersByTimeAsync(400));
      expect(screen.queryByText(BADGE)).toBeNull();
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('the connection', () => {
  test('after a gap what is on the screen is asked for once, and nothing else', async () => {
    const other = library.add('categories', {
      name: 'Outra',
      folder_id: live.folder['id'],
      is_public: false,
    });
    vi.spyOn(Math, 'random').mockReturnValue(0);
    await openCategory(READS_MS);
    act(() => live.realtime.setLive(false));
    library.add('folders', { name: 'Viagens' });
    library.add('links', link('Perdido', other));
    act(() => live.realtime.setLive(true));
    expect(await findInTree('Viagens')).toBeTruthy();
    expect(live.requests.filter((request) => request === 'GET folders')).toHaveLength(1);
    expect(live.requests.filter((request) => request === 'GET links')).toHaveLength(1);
  });

  test('without it, the counters show how much came, and coming back to the page what', async () => {
    live.realtime.setLive(false);
    const { user } = await open('/dashboard');
    library.add('folders', { name: 'Viagens' });
    library.add('links', link('Cabo'));
    await user.click(screen.getByRole('button', { name: 'Abrir menu da conta' }));
    await waitFor(() => expect(counters()).toEqual(['2', '1', '2']));
    vi.spyOn(document, 'hasFocus').mockReturnValue(true);
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 61_000);
    act(() => {
      window.dispatchEvent(new Event('blur'));
      window.dispatchEvent(new Event('focus'));
    });
    expect(await screen.findByRole('treeitem', { name: 'Viagens', hidden: true })).toBeTruthy();
    await waitFor(() => expect(live.requests).toContain('GET links'));
    clock.mockRestore();
  });

  test('shows tags that another device gave, and reads no list again for a count', async () => {
    const [router] = library.table('links');
    const tag = library.add('tags', {
      name: 'casa',
      color: null,
      link_count: 0,
      tagged_at: '2025-01-01T00:00:00Z',
    });
    await openCategory(READS_MS);
    Object.assign(tag, { link_count: 3 });
    act(() => live.realtime.tell({ table: 'tags', operation: 'UPDATE', row: { ...tag } }));
    await waitFor(() => expect(live.requests).toContain('GET tags'));
    await act(() => letPass(READS_MS));
    expect(live.requests).not.toContain('GET links');
    library.table('link_tags').push({ link_id: router?.['id'], tag_id: tag['id'] });
    Object.assign(tag, { link_count: 1, tagged_at: '2025-01-02T00:00:00Z' });
    act(() => live.realtime.tell({ table: 'tags', operation: 'UPDATE', row: { ...tag } }));
    expect(await screen.findByText('casa')).toBeTruthy();
    expect(live.requests).toContain('GET links');
  });

  test('is told of nobody else: each subscription names the person', async () => {
    await open('/dashboard');
    const { user } = fakeSession();
    const filters = live.realtime
      .subscriptions()
      .map(({ table, event, filter }) => `${table} ${event} ${filter}`);
    expect(filters).toEqual([
      `folders * user_id=eq.${user.id}`,
      `categories * user_id=eq.${user.id}`,
      `links * user_id=eq.${user.id}`,
      `favorites * user_id=eq.${user.id}`,
      `folder_looks * user_id=eq.${user.id}`,
      `manual_order * user_id=eq.${user.id}`,
      `saved_searches * user_id=eq.${user.id}`,
      `subscribers * user_id=eq.${user.id}`,
      `tags * user_id=eq.${user.id}`,
      `folder_members * owner_id=eq.${user.id}`,
      'shared_with * email=eq.ana@exemplo.com',
      'folder_members * email=eq.ana@exemplo.com',
    ]);
  });

  test('hangs up when the person leaves', async () => {
    const { auth } = await open('/dashboard');
    act(() => auth.announce('SIGNED_OUT', null));
    await waitFor(() => expect(live.realtime.stop).toHaveBeenCalledTimes(1));
    expect(live.realtime.subscriptions()).toEqual([]);
  });
});

describe('the tabs of one browser', () => {
  const sayInOtherTab = (message: unknown) => {
    const tab = new BroadcastChannel('realtime-events');
    tab.postMessage(message);
    tab.close();
  };

  test('follow each other without a change feed: what came is read, what went goes', async () => {
    live.realtime.setLive(false);
    await open('/dashboard');
    const added = library.add('folders', { name: 'Viagens' });
    sayInOtherTab({ table: 'folders', type: 'INSERT', operation: 'INSERT', id: added['id'], timestamp: 1 });
    expect(await findInTree('Viagens')).toBeTruthy();
    expect(reads()).toContain('GET folders');
    library.tables['folders'] = [live.folder];
    sayInOtherTab({ table: 'folders', type: 'DELETE', id: added['id'], timestamp: 2 });
    await waitFor(() => expect(inTree('Viagens')).toBeNull());
    expect(inTree('Estudos')).toBeTruthy();
  });

  test('show and count a link that another one added to the category on the screen', async () => {
    live.realtime.setLive(false);
    await openCategory();
    expect(await screen.findByText('1 link')).toBeTruthy();
    const { id } = library.add('links', link('Cabo'));
    sayInOtherTab({ table: 'links', type: 'INSERT', operation: 'INSERT', id, timestamp: 1 });
    expect(await screen.findByText('Cabo')).toBeTruthy();
    expect(await screen.findByText('2 links')).toBeTruthy();
  });

  test('read nothing of a table that the change feed tells of', async () => {
    await open('/dashboard', READS_MS);
    sayInOtherTab({ table: 'folders', type: 'INSERT', id: 'x', timestamp: 1 });
    await act(() => letPass(READS_MS));
    expect(reads()).toEqual([]);
  });

  test('nonsense from elsewhere is nothing', async () => {
    live.realtime.setLive(false);
    await open('/dashboard', READS_MS);
    for (const nonsense of [
      null,
      'folders',
      { table: 'profiles', type: 'DELETE', id: '1' },
      { table: 'folders' },
    ])
      sayInOtherTab(nonsense);
    await act(() => letPass(READS_MS));
    expect(reads()).toEqual([]);
    expect(inTree('Estudos')).toBeTruthy();
  });

  test('are told what this one has written once it is stored, and not what it has only been told', async () => {
    const { user } = await open('/dashboard');
    const told: unknown[] = [];
    const tab = new BroadcastChannel('realtime-events');
    tab.onmessage = ({ data }) => told.push(data);
    elsewhere.add('folders', { name: 'De fora' });
    expect(await findInTree('De fora')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Nova Pasta' }));
    await user.type(await screen.findByLabelText('Nome da Pasta'), 'Viagens{Enter}');
    await waitFor(() => expect(told).toHaveLength(1));
    const [stored] = library.table('folders');
    expect(told[0]).toEqual({
      table: 'folders',
      type: 'INSERT',
      operation: 'INSERT',
      id: stored?.['id'],
      timestamp: expect.any(Number),
    });
    tab.close();
  });
});

describe('/test-realtime', () => {
  test('adds a folder, a category and a link, and shows what arrives', async () => {
    const { user } = await open('/test-realtime');
    expect(screen.getByText('Conectado: as mudanças chegam sozinhas')).toBeTruthy();
    for (const [button, table] of [
      ['Adicionar pasta de teste', 'folders'],
      ['Adicionar categoria de teste', 'categories'],
      ['Adicionar link de teste', 'links'],
    ] as const) {
      const before = library.table(table).length;
      await user.click(screen.getByRole('button', { name: button }));
      await waitFor(() => expect(library.table(table)).toHaveLength(before + 1));
      act(() => live.realtime.tell({ table, operation: 'INSERT', row: { ...library.table(table)[0] } }));
    }
    const log = within(screen.getByRole('log'));
    expect(await log.findByText(/^Pasta de teste \d\d:\d\d:\d\d/)).toBeTruthy();
    expect(log.getByText(/^Categoria de teste/)).toBeTruthy();
    expect(log.getByText(/^Link de teste/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Limpar registro' }));
    expect(log.getByText(/^Nenhum evento ainda/)).toBeTruthy();
  });

  test('cancels one subscription, or all, and resumes them', async () => {
    const { user } = await open('/test-realtime');
    await user.click(screen.getByRole('button', { name: 'Cancelar Pastas' }));
    expect(live.realtime.subscriptions().map(({ table }) => table)).not.toContain('folders');
    expect(live.realtime.subscriptions()).toHaveLength(11);
    await user.click(screen.getByRole('button', { name: 'Cancelar todas' }));
    expect(live.realtime.subscriptions()).toEqual([]);
    expect(screen.getByText('Nenhuma inscrição ativa')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Retomar Links' }));
    expect(live.realtime.subscriptions().map(({ table }) => table)).toEqual(['links']);
    await user.click(screen.getByRole('button', { name: 'Retomar todas' }));
    expect(live.realtime.subscriptions()).toHaveLength(12);
  });

  test('calls what it listens to by names that people know', async () => {
    await open('/test-realtime');
    const rows = screen.getAllByRole('button', { name: /^Cancelar (?!todas)/ });
    expect(rows).toHaveLength(live.realtime.subscriptions().length);
    for (const { textContent } of rows) expect(textContent).toMatch(/^Cancelar [A-Z][^_]+$/);
  });

  test('says of a full plan what it asks for', async () => {
    const { user } = await open('/test-realtime');
    library.control.refuse = (method, relation) =>
      method === 'POST' && relation === 'links'
        ? {
            status: 400,
            body: { code: 'P0001', message: 'x', details: '{"max":20}', hint: 'plan_limit_links' },
          }
        : null;
    await user.click(screen.getByRole('button', { name: 'Adicionar link de teste' }));
    expect(await screen.findByText('Limite de 20 links atingido')).toBeTruthy();
    expect(screen.getByText('Atualize seu plano para adicionar mais links')).toBeTruthy();
  });

  test('cancels only what it lists: who asks to see a category is told of before and after', async () => {
    const { user } = await open('/test-realtime');
    const isTold = () => live.realtime.send(`requests:${fakeSession().user.id}`, 'changed');
    await user.click(screen.getByRole('button', { name: 'Cancelar todas' }));
    expect(live.realtime.subscriptions()).toEqual([]);
    expect(screen.getByText('Nenhuma inscrição ativa')).toBeTruthy();
    expect(isTold()).toBe(true);
    await user.click(screen.getByRole('button', { name: 'Retomar todas' }));
    expect(screen.getByText('Conectado: as mudanças chegam sozinhas')).toBeTruthy();
    expect(isTold()).toBe(true);
  });

  test('sets how much the console is told, for this browser and from then on', async () => {
    const said = vi.spyOn(console, 'debug').mockImplementation(() => undefined);
    const { user } = await open('/test-realtime');
    const level = () => screen.getByRole<HTMLSelectElement>('combobox', { name: /^Registro no console/ });
    expect([...level().options].map(({ value }) => value)).toEqual([
      'off',
      'error',
      'warn',
      'info',
      'debug',
      'realtime',
    ]);
    expect(level().value).toBe('error');
    log.realtime('antes');
    expect(said).not.toHaveBeenCalled();
    await user.selectOptions(level(), 'realtime');
    log.realtime('depois');
    expect(said).toHaveBeenCalledWith('[linkoteca]', 'depois');
    cleanup();
    await open('/test-realtime');
    expect(level().value).toBe('realtime');
  });
});
