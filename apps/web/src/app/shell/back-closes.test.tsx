import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { preloadSidebarEntries } from '../organiser/sidebar-entries.tsx';
import { beginWithLibrary } from '../test/begin-with-library.ts';
import { narrowScreen } from '../test/narrow-screen.ts';
import { openSignedIn } from '../test/open-signed-in.ts';

const library = beginWithLibrary(() => import('../../shared/ui/dialogs/drawer.tsx'));

beforeEach(narrowScreen);

/** The dashboard of a phone, reached from the plans. */
async function openPhone() {
  const folder = library.add('folders', { name: 'Estudos' });
  const category = library.add('categories', { name: 'Redes', folder_id: folder['id'] });
  const app = openSignedIn('/plans');
  await screen.findByRole('heading', { name: 'Planos' });
  act(() => app.history.push('/dashboard'));
  await screen.findByRole('heading', { name: /^Olá/ });
  return { ...app, back: () => act(() => app.history.back()), categoryPath: `/category/${category['id']}` };
}

const drawer = () => screen.findByRole('dialog', { name: 'Navegação' });
const noDrawer = () => waitFor(() => expect(screen.queryByRole('dialog', { name: 'Navegação' })).toBeNull());
const searchField = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Buscar links' });
const noSearch = () =>
  waitFor(() => expect(screen.queryByRole('button', { name: 'Fechar busca' })).toBeNull());

test('a drawer that is opened again has all its entries at once: nothing moves below a finger', async () => {
  library.add('saved_searches', { name: 'Receitas', question: 'tag:receita' });
  const { user } = await openPhone();
  await act(preloadSidebarEntries);
  const open = () => user.click(screen.getByRole('button', { name: 'Abrir navegação' }));
  const entry = async () => within(await drawer()).queryByRole('region', { name: 'Buscas salvas' });
  await open();
  await waitFor(async () => expect(await entry()).toBeTruthy());
  await user.keyboard('{Escape}');
  await noDrawer();
  await open();
  expect(await entry()).toBeTruthy();
});

describe('the way back, with the drawer open,', () => {
  test('closes it and stays on the page; the next one leaves the page', async () => {
    const { user, path, back } = await openPhone();
    await user.click(screen.getByRole('button', { name: 'Abrir navegação' }));
    await drawer();
    expect(path()).toBe('/dashboard');
    back();
    await noDrawer();
    expect(path()).toBe('/dashboard');
    back();
    await waitFor(() => expect(path()).toBe('/plans'));
  });

  test.each([
    ['Esc', async ({ user }: Awaited<ReturnType<typeof openPhone>>) => user.keyboard('{Escape}')],
    [
      'the page it lies over',
      async ({ user }: Awaited<ReturnType<typeof openPhone>>) =>
        user.click(within(await drawer()).getByRole('link', { name: 'Linkoteca, ir para o início' })),
    ],
  ])('leaves the page at once when it was closed by %s, again and again', async (_what, close) => {
    const app = await openPhone();
    for (let time = 0; time < 2; time += 1) {
      await app.user.click(screen.getByRole('button', { name: 'Abrir navegação' }));
      await drawer();
      await close(app);
      await noDrawer();
    }
    expect(app.path()).toBe('/dashboard');
    app.back();
    await waitFor(() => expect(app.path()).toBe('/plans'));
  });

  test('leads from a chosen category to the page, and there is nothing between', async () => {
    const { user, path, back, categoryPath } = await openPhone();
    await user.click(screen.getByRole('button', { name: 'Abrir navegação' }));
    await user.click(within(await drawer()).getByRole('treeitem', { name: 'Estudos' }));
    await user.click(within(await drawer()).getByText('Redes'));
    await noDrawer();
    await waitFor(() => expect(path()).toBe(categoryPath));
    back();
    await waitFor(() => expect(path()).toBe('/dashboard'));
    await screen.findByRole('heading', { name: /^Olá/ });
    back();
    await waitFor(() => expect(path()).toBe('/plans'));
  });
});

describe('the way back, with the search open,', () => {
  test('closes and empties it and stays on the page; the next one leaves the page', async () => {
    const { user, path, back } = await openPhone();
    await user.click(searchField());
    await user.type(searchField(), 'red');
    await screen.findByRole('option', { name: /Redes/ });
    back();
    await noSearch();
    expect(searchField().value).toBe('');
    expect(path()).toBe('/dashboard');
    back();
    await waitFor(() => expect(path()).toBe('/plans'));
  });

  test('leaves the page at once when it was closed by its arrow', async () => {
    const { user, path, back } = await openPhone();
    await user.click(searchField());
    await user.click(await screen.findByRole('button', { name: 'Fechar busca' }));
    await noSearch();
    back();
    await waitFor(() => expect(path()).toBe('/plans'));
  });

  test('leads from a chosen result to the page, and there is nothing between', async () => {
    const { user, path, back, categoryPath } = await openPhone();
    await user.click(searchField());
    await user.type(searchField(), 'red');
    await user.click(await screen.findByRole('option', { name: /Redes/ }));
    await waitFor(() => expect(path()).toBe(categoryPath));
    await noSearch();
    back();
    await waitFor(() => expect(path()).toBe('/dashboard'));
    back();
    await waitFor(() => expect(path()).toBe('/plans'));
  });
});
