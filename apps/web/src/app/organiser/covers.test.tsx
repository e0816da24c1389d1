import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { rememberUndo } from '../../shared/lib/writes/undo-history.ts';
import { createFakeAuth, fakeSession } from '../../shared/test/create-fake-auth.ts';
import { createFakeConnection } from '../../shared/test/create-fake-connection.ts';
import { beginWithLibrary } from '../test/begin-with-library.ts';
import { stubCovers } from '../test/fake-covers.ts';
import { renderApp } from '../test/render-app.tsx';

const library = beginWithLibrary(() =>
  Promise.all([
    import('../../features/links/components/covers/covers.ts'),
    import('../../features/links/components/link-menu.tsx'),
  ]),
);
let covers: ReturnType<typeof stubCovers>;
beforeEach(() => {
  covers = stubCovers(library);
});

const userId = fakeSession().user.id;
const VIEW = 'linkoteca-link-view';

/** Opens a category of these links, the first on top. */
async function open(titles: readonly string[] = ['Antena'], connection = createFakeConnection()) {
  const folder = library.add('folders', { name: 'Estudos' });
  const category = library.add('categories', { name: 'Redes', folder_id: folder['id'], is_public: false });
  const ids: Record<string, string> = {};
  for (const title of titles.toReversed()) {
    const url = `https://exemplo.com/${title}`;
    ids[title] = String(library.add('links', { title, url, category_id: category['id'] })['id']);
  }
  const show = async () => {
    renderApp(`/category/${String(category['id'])}`, { auth: createFakeAuth(fakeSession()), connection });
    await screen.findByRole('link', { name: titles[0] ?? '' });
    return userEvent.setup();
  };
  return { ids, show, categoryId: String(category['id']) };
}
const images = () => [
  ...screen.getByRole('list', { name: 'Links' }).querySelectorAll<HTMLImageElement>('img'),
];
const chosen = (name: string) => screen.getByRole('button', { name }).getAttribute('aria-pressed');
const openMenu = async (title: string) => {
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: `Ações do link ${title}` }));
  return within(await screen.findByRole('menu'));
};

describe('the view of covers', () => {
  test('is one of three, remembered, and fetches what is missing: file first, then the word', async () => {
    const { ids, show } = await open(['Antena', 'Banco']);
    const user = await show();
    expect(covers.asked).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Capas' }));
    expect(chosen('Capas')).toBe('true');
    expect(localStorage.getItem(VIEW)).toBe('covers');
    await waitFor(() => expect(images()).toHaveLength(2));
    expect(covers.pages().toSorted()).toEqual(['https://exemplo.com/Antena', 'https://exemplo.com/Banco']);
    expect(covers.files).toEqual(
      new Set([`${userId}/covers/${ids['Antena']}`, `${userId}/covers/${ids['Banco']}`]),
    );
    expect(covers.asked.indexOf('POST file')).toBeLessThan(covers.asked.indexOf('note image'));
    // It is shown as it was sent, and all links are asked about together.
    expect(covers.asked.filter((each) => each === 'covers' || each === 'GET file')).toEqual(['covers']);
    const [image] = images();
    expect([image?.alt, image?.getAttribute('loading'), image?.width]).toEqual(['', 'lazy', 480]);
    expect(screen.queryByRole('status', { name: /Capa/ })).toBeNull();
  });

  test('shows what is there without asking its page', async () => {
    localStorage.setItem(VIEW, 'covers');
    const { ids, show } = await open();
    covers.give(ids['Antena'] ?? '', userId);
    await show();
    await waitFor(() => expect(images()[0]?.src).toMatch(/^data:image\/webp/));
    expect(covers.asked).toEqual(['covers', 'GET file']);
  });

  test('asks three pages at a time, and goes on', async () => {
    localStorage.setItem(VIEW, 'covers');
    const answers: PromiseWithResolvers<Response>[] = [];
    covers.control.page = () => {
      const answer = Promise.withResolvers<Response>();
      answers.push(answer);
      return answer.promise;
    };
    const { show } = await open(['Antena', 'Banco', 'Cabo', 'Dado', 'Elo']);
    await show();
    await waitFor(() => expect(answers).toHaveLength(3));
    await act(async () => answers[1]?.resolve(new Response(null, { status: 422 })));
    await waitFor(() => expect(answers).toHaveLength(4));
  });

  test('keeps the letter where a page has nothing, says nothing of it, and does not ask again', async () => {
    localStorage.setItem(VIEW, 'covers');
    covers.control.page = async () => Response.json({ error: 'Não há' }, { status: 422 });
    const { ids, show } = await open();
    await show();
    await waitFor(() => expect(covers.known.get(ids['Antena'] ?? '')?.state).toBe('none'));
    expect(images()).toEqual([]);
    expect(document.querySelector('[data-letter="E"]')).not.toBeNull();
    expect(screen.queryByText(/capa|imagem/)).toBeNull();
    const user = userEvent.setup();
    await user.click(screen.getByRole('button', { name: 'Lista' }));
    await user.click(screen.getByRole('button', { name: 'Capas' }));
    await screen.findByRole('link', { name: 'Antena' });
    expect(covers.pages()).toHaveLength(1);
  });

  test('asks a page again that had nothing a month ago, and fetches anew what is not there any more', async () => {
    localStorage.setItem(VIEW, 'covers');
    const { ids, show } = await open(['Antena', 'Banco', 'Cabo']);
    covers.known.set(ids['Antena'] ?? '', { state: 'none', tried_at: '2025-01-01T00:00:00Z' });
    covers.known.set(ids['Banco'] ?? '', { state: 'removed', tried_at: '2025-01-01T00:00:00Z' });
    covers.give(ids['Cabo'] ?? '', userId);
    // Known, and gone with a link that came back.
    const gone = `${userId}/covers/${ids['Cabo']}`;
    const { has } = covers.files;
    covers.files.has = (name) => name !== gone && has.call(covers.files, name);
    await show();
    await waitFor(() => expect(images()).toHaveLength(2));
    expect(covers.pages().toSorted()).toEqual(['https://exemplo.com/Antena', 'https://exemplo.com/Cabo']);
  });

  test('says once that the plan’s storage is full, as news and not as an error, with the way to the plans', async () => {
    localStorage.setItem(VIEW, 'covers');
    covers.control.refuseFile = () =>
      Response.json({ message: 'Limite de armazenamento de 100 MB atingido' }, { status: 400 });
    const three = Promise.withResolvers<void>();
    const { page } = covers.control;
    covers.control.page = async (url) => {
      if (covers.pages().length === 3) three.resolve();
      await three.promise;
      return page(url);
    };
    const { show } = await open(['Antena', 'Banco', 'Cabo', 'Dado', 'Elo']);
    const user = await show();
    expect(await screen.findByText('Sem espaço para mais capas')).toBeTruthy();
    expect(screen.getByText(/^Seu espaço de 100 MB está cheio/)).toBeTruthy();
    expect(screen.queryByText(/Não conseguimos/)).toBeNull();
    // Those that were on their way come to the same end; no other is asked.
    await waitFor(() => expect(covers.asked.filter((each) => each === 'POST file')).toHaveLength(3));
    expect(screen.getAllByText('Sem espaço para mais capas')).toHaveLength(1);
    expect(covers.pages()).toHaveLength(3);
    expect(covers.asked.filter((each) => each.startsWith('note'))).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Ver planos' }));
    expect(await screen.findByRole('heading', { level: 1, name: /plano/i })).toBeTruthy();
  });

  test('asks nothing while there is no network, and goes on when it is back', async () => {
    localStorage.setItem(VIEW, 'covers');
    const connection = createFakeConnection();
    covers.control.page = async () => {
      connection.set(false);
      throw new TypeError('Failed to fetch');
    };
    const { show } = await open(['Antena', 'Banco', 'Cabo', 'Dado'], connection);
    await show();
    await waitFor(() => expect(covers.pages()).toHaveLength(1));
    covers.control.page = async () => Response.json({}, { status: 422 });
    expect(screen.queryByText(/capa/)).toBeNull();
    act(() => connection.set(true));
    await waitFor(() => expect(covers.asked.filter((each) => each === 'note none')).toHaveLength(4));
  });

  test('a link that is saved meanwhile gets its cover once it is stored', async () => {
    localStorage.setItem(VIEW, 'covers');
    const { ids, show } = await open();
    covers.give(ids['Antena'] ?? '', userId);
    const user = await show();
    const stored = Promise.withResolvers<void>();
    library.control.beforeWrite = async (relation) => {
      if (relation === 'links') await stored.promise;
    };
    fireEvent.paste(document.body, { clipboardData: { getData: () => 'https://exemplo.com/tela' } });
    await user.type(await screen.findByLabelText('Título'), 'Tela{Enter}');
    // Shown before it is stored, below the form.
    await screen.findByText('Tela', { selector: 'a' });
    expect(covers.pages()).toEqual([]);
    await act(async () => stored.resolve());
    await waitFor(() => expect(covers.pages()).toEqual(['https://exemplo.com/tela']));
    await waitFor(() => expect(covers.asked).toContain('note image'));
  });

  test('is walked, ticked and reached by the same keys as the others', async () => {
    const { show } = await open(['Antena', 'Banco', 'Cabo', 'Dado', 'Elo']);
    const user = await show();
    const first = screen.getByRole('link', { name: 'Antena' });
    act(() => first.focus());
    await user.keyboard('vv');
    await waitFor(() => expect(chosen('Capas')).toBe('true'));
    const list = await screen.findByRole('list', { name: 'Links' });
    act(() => within(list).getByRole('link', { name: 'Antena' }).focus());
    // Three columns of 900 pixels.
    await user.keyboard('{ArrowDown}');
    expect(document.activeElement?.textContent).toBe('Dado');
    await user.keyboard('x{ArrowLeft}x');
    expect(screen.getAllByRole('checkbox', { checked: true }).map((each) => each.textContent)).toEqual([
      'Cabo',
      'Dado',
    ]);
    await user.keyboard('{Escape}v');
    expect(chosen('Cartões')).toBe('true');
  });
});

describe('the cover of one link', () => {
  test('is taken off with its bytes, and put back', async () => {
    localStorage.setItem(VIEW, 'covers');
    const { ids, show } = await open();
    const id = ids['Antena'] ?? '';
    covers.give(id, userId);
    const user = await show();
    await waitFor(() => expect(images()).toHaveLength(1));
    await user.click((await openMenu('Antena')).getByRole('menuitem', { name: 'Tirar capa' }));
    expect(await screen.findByText('Capa tirada')).toBeTruthy();
    await waitFor(() => expect(images()).toEqual([]));
    await waitFor(() => expect(covers.files.size).toBe(0));
    expect(covers.known.get(id)?.state).toBe('removed');
    await user.click(screen.getByRole('button', { name: 'Desfazer' }));
    await waitFor(() => expect(images()).toHaveLength(1));
    expect(covers.files.size).toBe(1);
    // As it was: no page was asked for it.
    expect(covers.pages()).toEqual([]);
  });

  test('is put back by the key while it is being taken off', async () => {
    localStorage.setItem(VIEW, 'covers');
    const { ids, show } = await open();
    covers.give(ids['Antena'] ?? '', userId);
    const user = await show();
    await waitFor(() => expect(images()).toHaveLength(1));
    const earlier = vi.fn();
    const forget = rememberUndo({ undo: earlier, drop: () => undefined });
    const held = Promise.withResolvers<void>();
    covers.control.beforeNote = () => held.promise;
    await user.click((await openMenu('Antena')).getByRole('menuitem', { name: 'Tirar capa' }));
    await user.keyboard('{Control>}z{/Control}');
    held.resolve();
    await waitFor(() =>
      expect(covers.asked.filter((each) => /^note/.test(each))).toEqual(['note removed', 'note image']),
    );
    expect(earlier).not.toHaveBeenCalled();
    forget();
  });

  test('is fetched anew when somebody asks, who hears what came of it', async () => {
    localStorage.setItem(VIEW, 'covers');
    const { ids, show } = await open();
    covers.give(ids['Antena'] ?? '', userId);
    const user = await show();
    await waitFor(() => expect(images()).toHaveLength(1));
    const refresh = async () =>
      user.click((await openMenu('Antena')).getByRole('menuitem', { name: 'Atualizar capa' }));
    await refresh();
    expect(await screen.findByText('Capa atualizada')).toBeTruthy();
    covers.control.page = async () => Response.json({}, { status: 500 });
    await refresh();
    expect(await screen.findByText('Não conseguimos buscar a capa')).toBeTruthy();
    expect(images()).toHaveLength(1);
    covers.control.page = async () => Response.json({}, { status: 422 });
    await refresh();
    expect(await screen.findByText('Esta página não tem uma imagem própria')).toBeTruthy();
    await waitFor(() => expect(images()).toEqual([]));
    await waitFor(() => expect(covers.files.size).toBe(0));
  });

  test('is no matter of the other views', async () => {
    const { show } = await open();
    await show();
    expect((await openMenu('Antena')).queryByText(/capa/i)).toBeNull();
  });
});

test('covers of somebody else’s category are shown, and neither fetched nor changed', async () => {
  localStorage.setItem(VIEW, 'covers');
  const category = library.add('categories', {
    name: 'Da Bia',
    folder_id: 'f',
    user_id: 'bia',
    name_users: 'Bia',
    is_public: false,
  });
  library
    .table('shared_with')
    .push({ category_id: category['id'], email: fakeSession().user.email, created_at: '2025-01-01' });
  const of = { category_id: category['id'], user_id: 'bia' };
  const seen = library.add('links', { title: 'Antena', url: 'https://exemplo.com/a', ...of });
  library.add('links', { title: 'Banco', url: 'https://exemplo.com/b', ...of });
  covers.give(String(seen['id']), 'bia');
  renderApp(`/category/${String(category['id'])}`, { auth: createFakeAuth(fakeSession()) });
  await screen.findByRole('link', { name: 'Antena' });
  await waitFor(() => expect(images()).toHaveLength(1));
  expect(covers.asked).toEqual(['covers', 'GET file']);
  expect((await openMenu('Antena')).queryByText(/capa/i)).toBeNull();
});
