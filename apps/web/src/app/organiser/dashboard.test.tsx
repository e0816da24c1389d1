import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { fakeSession } from '../../shared/test/create-fake-auth.ts';
import { expectConsoleError } from '../../shared/test/setup-browser-tests.ts';
import { beginWithLibrary } from '../test/begin-with-library.ts';
import { openSignedIn } from '../test/open-signed-in.ts';

const library = beginWithLibrary();
const CONTINUE = 'Continue de onde parou';
let asked: URL[];

beforeEach(() => {
  localStorage.clear();
  asked = [];
  vi.stubGlobal('fetch', (input: string | Request, init?: RequestInit) => {
    asked.push(new URL(input instanceof Request ? input.url : input));
    return library.fetch(input, init);
  });
});

const recent = async () => within(await screen.findByRole('region', { name: 'Categorias recentes' }));
const faces = (card: HTMLElement) =>
  [...card.querySelectorAll('[data-letter]')].map((face) => face.getAttribute('data-letter'));
const faceReads = () => asked.filter(({ searchParams }) => searchParams.get('select') === 'id,links(url)');

function addCategories(...names: readonly string[]) {
  const folder = library.add('folders', { name: 'Estudos' });
  return names.map((name) => String(library.add('categories', { name, folder_id: folder['id'] })['id']));
}

const keep = (categoryId: string | undefined, ...hosts: readonly string[]) => {
  for (const host of hosts)
    library.add('links', { title: host, url: `https://${host}/`, category_id: categoryId });
};

describe('the card of a category', () => {
  test('shows its folder and the faces of its five newest links, all cards in one request', async () => {
    const [networks, empty] = addCategories('Redes', 'Vazia');
    keep(networks, 'a.exemplo', 'b.exemplo', 'c.exemplo', 'd.exemplo', 'e.exemplo', 'f.exemplo');
    openSignedIn('/dashboard');
    const card = await (await recent()).findByRole('link', { name: /Redes/ });
    await waitFor(() => expect(faces(card)).toEqual(['F', 'E', 'D', 'C', 'B']));
    expect(within(card).getByText('Estudos')).toBeTruthy();
    expect(within(card).getByText('6 links')).toBeTruthy();
    expect(faces((await recent()).getByRole('link', { name: /Vazia/ }))).toEqual([]);
    expect(faceReads()).toHaveLength(1);
    expect(faceReads()[0]?.searchParams.get('id')).toContain(empty);
  });

  test('does without faces that cannot be read', async () => {
    const [networks] = addCategories('Redes');
    keep(networks, 'a.exemplo');
    vi.stubGlobal('fetch', (input: string | Request, init?: RequestInit) => {
      const url = new URL(input instanceof Request ? input.url : input);
      return url.searchParams.get('select') === 'id,links(url)'
        ? Promise.resolve(Response.json({ code: 'XX000', message: 'interno' }, { status: 500 }))
        : library.fetch(input, init);
    });
    openSignedIn('/dashboard');
    const card = await (await recent()).findByRole('link', { name: /Redes/ });
    await waitFor(() => expectConsoleError(/read failed/));
    expect(faces(card)).toEqual([]);
  });
});

describe('where one was', () => {
  test('is said of the card of the category that was open last, and there alone', async () => {
    const [networks, poetry] = addCategories('Redes', 'Poesia');
    keep(poetry, 'verso.exemplo');
    const { history } = openSignedIn(`/category/${networks}`);
    await screen.findByRole('heading', { name: 'Redes' });
    act(() => history.push('/dashboard'));
    expect(
      await (await recent()).findByRole('link', { name: /^Continue de onde parou\s*Redes/ }),
    ).toBeTruthy();
    expect(screen.getAllByText(CONTINUE)).toHaveLength(1);
  });

  test('stands ahead of the others when it is none of the six newest', async () => {
    const [oldest] = addCategories('Um', 'Dois', 'Três', 'Quatro', 'Cinco', 'Seis', 'Sete');
    localStorage.setItem(`linkoteca-opened-category-${fakeSession().user.id}`, String(oldest));
    keep(oldest, 'a.exemplo');
    const { user, path } = openSignedIn('/dashboard');
    const region = within(await screen.findByRole('region', { name: CONTINUE }));
    const card = region.getByRole('link', { name: /Um/ });
    await waitFor(() => expect(faces(card)).toEqual(['A']));
    expect((await recent()).getAllByRole('link')).toHaveLength(6);
    await user.click(card);
    await waitFor(() => expect(path()).toBe(`/category/${oldest}`));
  });

  test('is where the newest link is, in a browser that knows nothing or only what is gone', async () => {
    localStorage.setItem(`linkoteca-opened-category-${fakeSession().user.id}`, crypto.randomUUID());
    const [networks] = addCategories('Redes', 'Poesia');
    keep(networks, 'a.exemplo');
    openSignedIn('/dashboard');
    expect(
      await (await recent()).findByRole('link', { name: /^Continue de onde parou\s*Redes/ }),
    ).toBeTruthy();
  });

  test('is nothing where nothing was kept or opened', async () => {
    addCategories('Redes');
    openSignedIn('/dashboard');
    await (await recent()).findByRole('link', { name: /Redes/ });
    expect(await screen.findByText(/Nenhum link ainda/)).toBeTruthy();
    expect(screen.queryByText(CONTINUE)).toBeNull();
  });
});

test('favourites are one press away', async () => {
  const [networks] = addCategories('Redes');
  keep(networks, 'a.exemplo');
  const [link] = library.table('links');
  library.add('favorites', { link_id: link?.['id'], category_id: null });
  library.add('favorites', { link_id: null, category_id: networks });
  const { user, path } = openSignedIn('/dashboard');
  const heading = await screen.findByRole('heading', { name: 'Seus favoritos' });
  const list = within(heading.parentElement as HTMLElement);
  expect(list.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['Redes', 'a.exemplo']);
  expect(list.getByRole('link', { name: 'a.exemplo' }).getAttribute('href')).toBe('https://a.exemplo/');
  await user.click(list.getByRole('link', { name: 'Redes' }));
  await waitFor(() => expect(path()).toBe(`/category/${networks}`));
});

test('what others share stands below one’s own, the latest first', async () => {
  addCategories('Redes');
  for (const name of ['De Bia', 'De Caio']) {
    const shared = library.add('categories', { name, user_id: crypto.randomUUID(), name_users: name });
    library.add('shared_with', { category_id: shared['id'], email: fakeSession().user.email });
  }
  library.tables['subscribers'] = [{ plan: 'plus', subscription_status: 'active' }];
  openSignedIn('/dashboard');
  const region = await screen.findByRole('region', { name: 'Compartilhados com você' });
  await waitFor(() =>
    expect(
      within(region)
        .getAllByRole('link')
        .map(({ textContent }) => textContent),
    ).toEqual(['De CaioPor: De Caio', 'De BiaPor: De Bia']),
  );
  const own = screen.getByRole('region', { name: 'Categorias recentes' });
  expect(own.compareDocumentPosition(region) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
  expect(document.querySelector('[role="option"]')).toBeNull();
});
