import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { beginWithLibrary } from '../test/begin-with-library.ts';
import type { Refusal } from '../test/fake-library.ts';
import { openSignedIn } from '../test/open-signed-in.ts';

const BROKEN: Refusal = {
  status: 500,
  body: { code: 'XX000', message: 'interno', details: null, hint: null },
};
const GONE: Refusal = {
  status: 404,
  body: { code: 'PT404', message: 'Categoria não encontrada', details: null, hint: null },
};

const library = beginWithLibrary();
/** Lets the held writes reach the service. */
let release: () => void;

beforeEach(() => {
  localStorage.clear();
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  // Every write waits, so that a test sees what the screen shows meanwhile.
  library.control.beforeWrite = () => held;
});

/** Opens 'Redes' (Roteador, Cabo) in the folder 'Estudos', which has 'Sinais' too; 'Viagens' holds 'Chapada'. */
async function open(titles: readonly string[] = ['Roteador', 'Cabo']) {
  const travels = library.add('folders', { name: 'Viagens' });
  const target = library.add('categories', { name: 'Chapada', folder_id: travels['id'] });
  const studies = library.add('folders', { name: 'Estudos' });
  const source = library.add('categories', { name: 'Redes', folder_id: studies['id'] });
  const sibling = library.add('categories', { name: 'Sinais', folder_id: studies['id'] });
  for (const title of titles) {
    library.add('links', { title, url: `https://exemplo.com/${title}`, category_id: source['id'] });
  }
  const app = openSignedIn(`/category/${String(source['id'])}`);
  await screen.findByRole('link', { name: 'Cabo' });
  return { ...app, ids: { travels, target, studies, source, sibling } };
}

// A dialog hides what is behind it from assistive technology; the rows are there all the same.
const row = (name: string) => screen.queryByRole('treeitem', { name, hidden: true });
const countOf = (name: string) => row(name)?.getAttribute('aria-description');
const linkNames = () =>
  ['Roteador', 'Cabo'].filter((name) => screen.queryByRole('link', { name, hidden: true }));
const menuOf = async (user: ReturnType<typeof userEvent.setup>, name: string) => {
  await user.click(await screen.findByRole('button', { name }));
  await user.click(await screen.findByRole('menuitem', { name: 'Mover' }));
};
const undo = async (user: ReturnType<typeof userEvent.setup>) =>
  user.click(await screen.findByRole('button', { name: 'Desfazer' }));

/** Drags something with the mouse onto a row of the tree. */
function drag(thing: Element, onto: string) {
  const dataTransfer = { setData: vi.fn(), setDragImage: vi.fn(), effectAllowed: '', dropEffect: '' };
  fireEvent.dragStart(thing, { dataTransfer });
  const place = row(onto);
  if (place === null) throw new Error(`no row ${onto}`);
  act(() => vi.advanceTimersByTime(1));
  fireEvent.dragOver(place, { dataTransfer });
  fireEvent.drop(place, { dataTransfer });
}

/** Moves both selected links, 'Cabo' among them, to 'Sinais'. */
async function moveSelection(user: ReturnType<typeof userEvent.setup>, way: 'the dialog' | 'a drag') {
  if (way === 'a drag') {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    drag(screen.getByRole('checkbox', { name: 'Cabo' }), 'Sinais');
    vi.useRealTimers();
  } else {
    await user.click(screen.getByRole('button', { name: 'Mover (2)' }));
    await user.click(await screen.findByRole('option', { name: 'Sinais' }));
  }
  expect(await screen.findByText('2 links movidos para Sinais')).toBeTruthy();
}

describe('a link', () => {
  test('moves before the service has answered, with its counts, and comes back when asked', async () => {
    const { user, ids } = await open();
    await menuOf(user, 'Ações do link Cabo');
    const dialog = await screen.findByRole('dialog', { name: 'Mover link' });
    const current = within(dialog).getByRole('option', { name: /^Redes/ });
    expect(current.getAttribute('aria-disabled')).toBe('true');
    await user.type(within(dialog).getByRole('combobox'), 'sinais{Enter}');
    await waitFor(() => expect(linkNames()).toEqual(['Roteador']));
    expect([countOf('Redes'), countOf('Sinais')]).toEqual(['1 link', '1 link']);
    expect(screen.queryByText('Link movido para Sinais')).toBeNull();

    release();
    expect(await screen.findByText('Link movido para Sinais')).toBeTruthy();
    expect(library.table('links').filter((link) => link['category_id'] === ids.sibling['id'])).toHaveLength(
      1,
    );
    await undo(user);
    expect(await screen.findByText('Link de volta em Redes')).toBeTruthy();
    await waitFor(() => expect(linkNames()).toEqual(['Roteador', 'Cabo']));
    expect([countOf('Redes'), countOf('Sinais')]).toEqual(['2 links', '0 links']);
  });

  test('whose move is not answered yet is taken back by the key all the same', async () => {
    const { user, ids } = await open();
    await menuOf(user, 'Ações do link Cabo');
    await user.click(await screen.findByRole('option', { name: 'Sinais' }));
    await waitFor(() => expect(linkNames()).toEqual(['Roteador']));
    await user.keyboard('{Control>}z{/Control}');
    release();
    expect(await screen.findByText('Link de volta em Redes')).toBeTruthy();
    await waitFor(() => expect(linkNames()).toEqual(['Roteador', 'Cabo']));
    expect(library.table('links').every((link) => link['category_id'] === ids.source['id'])).toBe(true);
    expect(screen.queryByText('Link movido para Sinais')).toBeNull();
  });

  test('that is refused comes back at once, with the reason', async () => {
    const { user } = await open();
    library.control.refuse = (_method, relation) => (relation === 'rpc/move_links' ? GONE : null);
    await menuOf(user, 'Ações do link Cabo');
    await user.click(await screen.findByRole('option', { name: 'Chapada' }));
    await waitFor(() => expect(linkNames()).toEqual(['Roteador']));
    release();
    expect(await screen.findByText('Não foi possível mover o link')).toBeTruthy();
    expect(screen.getByText('Categoria não encontrada')).toBeTruthy();
    await waitFor(() => expect(linkNames()).toEqual(['Roteador', 'Cabo']));
    expect([countOf('Redes'), countOf('Sinais')]).toEqual(['2 links', '0 links']);
    expect(screen.queryByText(/^Link movido/)).toBeNull();
  });

  test('with the focus is moved by m; the place where it went is offered first the next time', async () => {
    const { user } = await open();
    release();
    screen.getByRole('link', { name: 'Cabo' }).focus();
    await user.keyboard('m');
    await user.click(await screen.findByRole('option', { name: 'Chapada' }));
    expect(await screen.findByText('Link movido para Chapada')).toBeTruthy();
    // The keyboard goes on from the neighbour.
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Roteador' })));
    await user.keyboard('m');
    const options = within(await screen.findByRole('dialog', { name: 'Mover link' })).getAllByRole('option');
    expect(options[0]?.textContent).toBe('ChapadaViagens');
  });

  test('goes to a category that is made for it, in the folder at hand; why it cannot be is said in place', async () => {
    const { user, ids } = await open();
    release();
    library.control.refuse = (method, relation) =>
      method === 'POST' && relation === 'categories'
        ? {
            status: 400,
            body: { code: 'P0001', message: 'x', details: '{"max":5}', hint: 'plan_limit_categories' },
          }
        : null;
    await menuOf(user, 'Ações do link Cabo');
    await user.type(await screen.findByRole('combobox', { name: 'Buscar categoria' }), 'Fibras{Enter}');
    expect(await screen.findByText(/^Limite de 5 categorias atingido/)).toBeTruthy();
    expect(screen.getByRole('dialog', { name: 'Mover link' })).toBeTruthy();
    expect(linkNames()).toEqual(['Roteador', 'Cabo']);
    library.control.refuse = () => null;
    await user.keyboard('{Enter}');
    expect(await screen.findByText('Link movido para Fibras')).toBeTruthy();
    const made = library.table('categories').find(({ name }) => name === 'Fibras');
    expect(made).toMatchObject({ folder_id: ids.studies['id'] });
    expect(library.table('links').find(({ title }) => title === 'Cabo')).toMatchObject({
      category_id: made?.['id'],
    });
  });

  test('is dragged onto a category; when it is one of several picked, all go', async () => {
    const { user } = await open();
    release();
    await user.click(screen.getByRole('button', { name: 'Selecionar' }));
    await user.click(screen.getByRole('button', { name: 'Selecionar todos' }));
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    drag(screen.getByRole('checkbox', { name: 'Cabo' }), 'Sinais');
    vi.useRealTimers();
    expect(await screen.findByText('2 links movidos para Sinais')).toBeTruthy();
    expect([countOf('Redes'), countOf('Sinais')]).toEqual(['0 links', '2 links']);
    expect(screen.queryByRole('toolbar', { name: 'Seleção' })).toBeNull();
  });

  test.each(['the dialog', 'a drag'] as const)(
    'selection leaves by %s, and the keyboard goes on from its neighbour',
    async (way) => {
      const { user } = await open(['Quadro', 'Antena', 'Roteador', 'Cabo']);
      release();
      await user.click(screen.getByRole('button', { name: 'Selecionar' }));
      for (const name of ['Roteador', 'Cabo']) await user.click(screen.getByRole('checkbox', { name }));
      await moveSelection(user, way);
      await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Antena' })));
      expect(screen.queryByRole('toolbar', { name: 'Seleção' })).toBeNull();
    },
  );

  test.each(['the dialog', 'a drag'] as const)(
    'selection that is all there is leaves by %s, and the keyboard stays on the page',
    async (way) => {
      const { user } = await open();
      release();
      await user.click(screen.getByRole('button', { name: 'Selecionar' }));
      await user.click(screen.getByRole('button', { name: 'Selecionar todos' }));
      await moveSelection(user, way);
      await waitFor(() => expect(document.activeElement?.id).toBe('page'));
    },
  );

  test('selection that is empty moves nothing and says so', async () => {
    const { user } = await open();
    await user.click(screen.getByRole('button', { name: 'Selecionar' }));
    await user.click(screen.getByRole('button', { name: 'Mover' }));
    expect(await screen.findByText('Nenhum link selecionado')).toBeTruthy();
    expect(screen.queryByRole('dialog', { name: /^Mover/ })).toBeNull();
  });
});

describe('a category', () => {
  test('moves to another folder, which opens; undoing opens the old one', async () => {
    const { user, ids } = await open();
    await menuOf(user, 'Ações da categoria Sinais');
    const dialog = await screen.findByRole('dialog', { name: 'Mover categoria' });
    expect(
      within(dialog)
        .getByRole('option', { name: /^Estudos/ })
        .getAttribute('aria-disabled'),
    ).toBe('true');
    await user.click(within(dialog).getByRole('option', { name: /^Viagens/ }));
    await waitFor(() => expect(row('Viagens')?.getAttribute('aria-expanded')).toBe('true'));
    expect(row('Sinais')).toBeTruthy();
    expect(row('Estudos')?.getAttribute('aria-expanded')).toBe('false');
    release();
    expect(await screen.findByText('Categoria movida para Viagens')).toBeTruthy();
    expect(library.table('categories').find((each) => each['name'] === 'Sinais')).toMatchObject({
      folder_id: ids.travels['id'],
    });
    await undo(user);
    expect(await screen.findByText('Categoria de volta em Estudos')).toBeTruthy();
    await waitFor(() => expect(row('Estudos')?.getAttribute('aria-expanded')).toBe('true'));
    expect(row('Sinais')).toBeTruthy();
  });

  test('whose move is not answered yet is taken back by the key all the same', async () => {
    const { user, ids } = await open();
    await menuOf(user, 'Ações da categoria Sinais');
    const dialog = await screen.findByRole('dialog', { name: 'Mover categoria' });
    await user.click(within(dialog).getByRole('option', { name: /^Viagens/ }));
    await waitFor(() => expect(row('Viagens')?.getAttribute('aria-expanded')).toBe('true'));
    await user.keyboard('{Control>}z{/Control}');
    release();
    expect(await screen.findByText('Categoria de volta em Estudos')).toBeTruthy();
    expect(library.table('categories').find((each) => each['name'] === 'Sinais')).toMatchObject({
      folder_id: ids.studies['id'],
    });
    expect(screen.queryByText('Categoria movida para Viagens')).toBeNull();
  });

  test('that is open stays open when it is dragged to another folder, and comes back when refused', async () => {
    const { path } = await open();
    const before = path();
    library.control.refuse = (method, relation) =>
      method === 'PATCH' && relation === 'categories' ? BROKEN : null;
    const link = within(row('Redes') as HTMLElement).getByText('Redes');
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    drag(link, 'Viagens');
    vi.useRealTimers();
    await waitFor(() => expect(row('Viagens')?.getAttribute('aria-expanded')).toBe('true'));
    expect(countOf('Redes')).toBe('2 links');
    release();
    expect(await screen.findByText('Não foi possível mover a categoria')).toBeTruthy();
    await waitFor(() => expect(row('Estudos')?.getAttribute('aria-expanded')).toBe('true'));
    expect(row('Redes')).toBeTruthy();
    expect(path()).toBe(before);
    expect(linkNames()).toEqual(['Roteador', 'Cabo']);
  });
});
