import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { letPass } from '../../shared/test/let-pass.ts';
import { expectConsoleError } from '../../shared/test/setup-browser-tests.ts';
import { beginWithLibrary } from '../test/begin-with-library.ts';
import { openSignedIn } from '../test/open-signed-in.ts';

const library = beginWithLibrary();
let asked: URL[];
let category: Record<string, unknown>;

beforeEach(() => {
  asked = [];
  vi.stubGlobal('fetch', (input: string | Request, init?: RequestInit) => {
    asked.push(new URL(input instanceof Request ? input.url : input));
    return library.fetch(input, init);
  });
  const folder = library.add('folders', { name: 'Estudos' });
  category = library.add('categories', { name: 'Redes', folder_id: folder['id'], is_public: false });
  library.add('links', { title: 'Roteador', url: 'https://exemplo.com/', category_id: category['id'] });
});

const recent = async () => within(await screen.findByRole('region', { name: 'Links recentes' }));
const linkReads = () =>
  asked.filter(
    ({ pathname, searchParams }) => pathname.endsWith('/links') && searchParams.has('category_id'),
  );

describe('the links kept last', () => {
  test('are listed with their site and category, ten at most, and lead on to all', async () => {
    const { user, path } = openSignedIn('/dashboard');
    const link = await (await recent()).findByRole('link', { name: /Roteador/ });
    expect(link.getAttribute('href')).toBe('https://exemplo.com/');
    expect(link.getAttribute('rel')).toBe('noopener noreferrer');
    const [request] = asked.filter(({ pathname }) => pathname.endsWith('/links'));
    expect(request?.searchParams.get('limit')).toBe('10');
    expect(request?.searchParams.get('order')).toBe('created_at.desc,id.desc');
    await user.click((await recent()).getByRole('link', { name: 'Redes' }));
    await waitFor(() => expect(path()).toBe(`/category/${String(category['id'])}`));
  });

  test('lead on to the search page, which lists them all', async () => {
    const { user, path } = openSignedIn('/dashboard');
    await user.click(await (await recent()).findByRole('link', { name: 'Ver todos os links' }));
    await waitFor(() => expect(path()).toBe('/search'));
  });

  test('never show what has been deleted meanwhile', async () => {
    const { user, history } = openSignedIn('/dashboard');
    await (await recent()).findByRole('link', { name: /Roteador/ });
    act(() => history.push(`/category/${String(category['id'])}`));
    await user.click(await screen.findByRole('button', { name: 'Ações da categoria Redes' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Editar' }));
    await user.type(await screen.findByLabelText('Nome da Categoria'), ' 2');
    library.table('links').length = 0;
    await user.keyboard('{Enter}');
    expect(await screen.findByText('Categoria atualizada com sucesso')).toBeTruthy();
    act(() => history.push('/dashboard'));
    expect(await screen.findByText(/Nenhum link ainda/)).toBeTruthy();
    expect(screen.queryByText('Roteador')).toBeNull();
  });

  test('that cannot be read say so, and come on the second try', async () => {
    library.control.refuse = (_method, relation) =>
      relation === 'links' ? { status: 500, body: { code: 'XX000', message: 'interno' } } : null;
    const { user } = openSignedIn('/dashboard');
    expect(await screen.findByText('Não foi possível carregar seus links')).toBeTruthy();
    library.control.refuse = () => null;
    await user.click((await recent()).getByRole('button', { name: 'Tentar de novo' }));
    expect(await (await recent()).findByRole('link', { name: /Roteador/ })).toBeTruthy();
    expectConsoleError(/read failed/);
  });
});

describe('a category is fetched ahead', () => {
  test('when the pointer rests on its card, once', async () => {
    const { user } = openSignedIn('/dashboard');
    const cards = within(await screen.findByRole('region', { name: 'Categorias recentes' }));
    const card = await cards.findByRole('link', { name: /Redes/ });
    await user.hover(card);
    await waitFor(() => expect(linkReads()).toHaveLength(1));
    await user.unhover(card);
    await user.hover(card);
    await user.click(card);
    expect(await screen.findByRole('link', { name: 'Roteador' })).toBeTruthy();
    expect(linkReads()).toHaveLength(1);
  });

  test('when the focus comes to its row in the tree', async () => {
    const { user } = openSignedIn('/dashboard');
    (await screen.findByRole('treeitem', { name: 'Estudos' })).focus();
    await user.keyboard('{ArrowRight}{ArrowRight}');
    await waitFor(() => expect(linkReads()).toHaveLength(1));
  });

  test('not for a pointer that only passes', async () => {
    openSignedIn('/dashboard');
    const cards = within(await screen.findByRole('region', { name: 'Categorias recentes' }));
    const card = await cards.findByRole('link', { name: /Redes/ });
    const heading = cards.getByRole('heading', { name: 'Categorias recentes' });
    // In one go, so that nothing takes longer in between than the pointer may rest.
    fireEvent.pointerOver(card);
    fireEvent.pointerOver(heading);
    await letPass(150);
    expect(linkReads()).toEqual([]);
    fireEvent.pointerOver(card);
    await waitFor(() => expect(linkReads()).toHaveLength(1));
  });
});
