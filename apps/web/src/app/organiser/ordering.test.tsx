import { act, createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import { beginWithLibrary } from '../test/begin-with-library.ts';
import type { Refusal } from '../test/fake-library.ts';
import { openSignedIn } from '../test/open-signed-in.ts';

type User = ReturnType<typeof userEvent.setup>;

const library = beginWithLibrary(() =>
  Promise.all([
    import('../../features/links/components/arrangement-bar.tsx'),
    import('../../features/links/components/link-menu.tsx'),
    import('../../features/links/components/ordering/link-ordering.tsx'),
    import('./ordering/order-acts.ts'),
  ]),
);

const BROKEN: Refusal = {
  status: 500,
  body: { code: 'XX000', message: 'interno', details: null, hint: null },
};
const TITLES = ['Antena', 'Banco', 'Cabo', 'Dado', 'Elo', 'Fio', 'Grade', 'Hub'];

/** Opens a category whose links are A to H, the newest first; in its own order, where it has one. */
async function open({ manual = true, titles = TITLES } = {}) {
  localStorage.clear();
  const folder = library.add('folders', { name: 'Estudos' });
  const category = library.add('categories', { name: 'Redes', folder_id: folder['id'], is_public: false });
  for (const title of titles.toReversed())
    library.add('links', { title, url: `https://exemplo.com/${title}`, category_id: category['id'] });
  if (manual) library.table('manual_order').push({ category_id: category['id'] });
  const app = openSignedIn(`/category/${String(category['id'])}`);
  await screen.findByRole('link', { name: titles[0] ?? '' });
  if (manual) await screen.findByRole('button', { name: 'Ordem: Minha ordem' });
  return { ...app, category };
}

const list = () => screen.getByRole('list', { name: 'Links' });
const shown = () =>
  within(list())
    .getAllByRole('link', { hidden: true })
    .map((each) => each.textContent?.[0])
    .join('');
const focus = (name: string) => act(() => screen.getByRole('link', { name }).focus());
const isManual = () => library.table('manual_order').some((row) => row['category_id']);
const placed = () => library.table('manual_order').filter((row) => row['link_id']);

/** Lays the cards out in rows of three, 100 by 50 pixels each: jsdom does not. */
function layOut() {
  const around = list().parentElement as HTMLElement;
  vi.spyOn(around, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 300, 150));
  for (const [at, item] of [...list().querySelectorAll('[data-link-id]')].entries()) {
    const [x, y] = [(at % 3) * 100, Math.floor(at / 3) * 50];
    vi.spyOn(item, 'getBoundingClientRect').mockReturnValue(new DOMRect(x, y, 100, 50));
  }
}

/** Drags a link with the mouse to a point. @returns whether the place takes it. */
function drag(name: string, x: number, y: number, drops = true) {
  layOut();
  const dataTransfer = { setData: vi.fn(), setDragImage: vi.fn(), effectAllowed: '', dropEffect: '' };
  const thing = screen.getByText(name, { selector: 'a' });
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  fireEvent.dragStart(thing, { dataTransfer });
  act(() => vi.advanceTimersByTime(1));
  // What jsdom knows of a drag is no event of a mouse.
  const over = createEvent.dragOver(list(), { dataTransfer });
  Object.defineProperties(over, { clientX: { value: x }, clientY: { value: y } });
  fireEvent(list(), over);
  const marked = document.querySelector('[data-place-marker]') !== null;
  if (drops) fireEvent.drop(list(), { dataTransfer });
  else fireEvent.dragEnd(thing);
  vi.useRealTimers();
  return { effect: dataTransfer.dropEffect, marked };
}

const chooseOrder = async (user: User, from: string, to: string) => {
  await user.click(await screen.findByRole('button', { name: `Ordem: ${from}` }));
  await user.click(await screen.findByRole('menuitem', { name: to }));
};

describe('a category', () => {
  test('gets its own order from the list of orders, and keeps its places when that is laid aside', async () => {
    const { user } = await open({ manual: false });
    await chooseOrder(user, 'Mais novos', 'Minha ordem');
    expect(await screen.findByText('Esta categoria agora tem a sua ordem')).toBeTruthy();
    expect(isManual()).toBe(true);
    // The choice is the category's, not this browser's.
    expect(localStorage.getItem('linkoteca-link-order')).toBeNull();
    await waitFor(() => expect(drag('Hub', 10, 10).effect).toBe('move'));
    await waitFor(() => expect(shown()).toBe('HABCDEFG'));
    await chooseOrder(user, 'Minha ordem', 'Mais novos');
    await waitFor(() => expect(shown()).toBe('ABCDEFGH'));
    expect(isManual()).toBe(false);
    await chooseOrder(user, 'Mais novos', 'Minha ordem');
    await waitFor(() => expect(shown()).toBe('HABCDEFG'));
  });

  test('of few links gets it from the menu of a link', async () => {
    const { user } = await open({ manual: false, titles: TITLES.slice(0, 3) });
    await user.click(screen.getByRole('button', { name: 'Ações do link Cabo' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Mudar a ordem' }));
    expect(await screen.findByRole('button', { name: 'Ordem: Minha ordem' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Ações do link Cabo' }));
    expect(screen.queryByRole('menuitem', { name: 'Mudar a ordem' })).toBeNull();
    await user.click(await screen.findByRole('menuitem', { name: 'Levar ao começo' }));
    await waitFor(() => expect(shown()).toBe('CAB'));
  });

  test('that may not have it says so, and is shown as before', async () => {
    const { user } = await open({ manual: false });
    library.control.refuse = (_method, relation) => (relation === 'rpc/place_links' ? BROKEN : null);
    await chooseOrder(user, 'Mais novos', 'Minha ordem');
    expect(await screen.findByText('Não foi possível mudar a ordem da categoria')).toBeTruthy();
    expect(await screen.findByRole('button', { name: 'Ordem: Mais novos' })).toBeTruthy();
  });
});

describe('a dragged link', () => {
  test('goes between two others before the service has answered, as one small row, and comes back', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { user } = await open();
    library.control.beforeWrite = () => held;
    expect(drag('Grade', 190, 20)).toEqual({ effect: 'move', marked: true });
    await waitFor(() => expect(shown()).toBe('ABGCDEFH'));
    expect(placed()).toEqual([]);
    release();
    expect(await screen.findByText('Link mudou de lugar')).toBeTruthy();
    expect(placed()).toHaveLength(1);
    await user.click(screen.getByRole('button', { name: 'Desfazer' }));
    expect(await screen.findByText('Link de volta ao seu lugar')).toBeTruthy();
    expect(shown()).toBe('ABCDEFGH');
    expect(placed()).toEqual([]);
  });

  test('goes to the end, and with all that are selected', async () => {
    const { user } = await open();
    drag('Banco', 195, 120);
    await waitFor(() => expect(shown()).toBe('ACDEFGHB'));
    await user.click(screen.getByRole('button', { name: 'Selecionar' }));
    for (const name of ['Hub', 'Dado']) await user.click(screen.getByRole('checkbox', { name }));
    drag('Dado', 10, 10);
    expect(await screen.findByText('2 links mudaram de lugar')).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('toolbar', { name: 'Seleção' })).toBeNull());
    expect(shown()).toBe('DHACEFGB');
  });

  test('that is refused is where it was, with the reason', async () => {
    await open();
    library.control.refuse = (_method, relation) => (relation === 'rpc/place_links' ? BROKEN : null);
    drag('Hub', 10, 10);
    expect(await screen.findByText('Não foi possível mudar o link de lugar')).toBeTruthy();
    await waitFor(() => expect(shown()).toBe('ABCDEFGH'));
  });

  test('has no place where it stands already, nor in a list that is in another order', async () => {
    const { user } = await open();
    // On itself, before and behind itself.
    for (const [x, y] of [
      [110, 10],
      [90, 10],
      [210, 10],
    ] as const)
      expect(drag('Banco', x, y, false)).toEqual({ effect: 'none', marked: false });
    await chooseOrder(user, 'Minha ordem', 'Título, A–Z');
    await screen.findByRole('button', { name: 'Ordem: Título, A–Z' });
    expect(drag('Hub', 10, 10)).toEqual({ effect: 'none', marked: false });
    expect(placed()).toEqual([]);
  });

  test('goes beside its neighbour on the screen where a filter hides the others', async () => {
    const { user } = await open({ titles: ['Ana', 'Bia', 'Caju', 'Anel', 'Eva', 'Ameixa', 'Gil', 'Ave'] });
    await user.type(screen.getByLabelText('Filtrar os links desta categoria'), 'an');
    await waitFor(() => expect(within(list()).getAllByRole('link')).toHaveLength(2));
    drag('Ana', 195, 20);
    await user.clear(screen.getByLabelText('Filtrar os links desta categoria'));
    await waitFor(() =>
      expect(
        within(list())
          .getAllByRole('link')
          .map((each) => each.textContent),
      ).toEqual(['Bia', 'Caju', 'Anel', 'Ana', 'Eva', 'Ameixa', 'Gil', 'Ave']),
    );
  });
});

describe('with the keyboard', () => {
  test('Alt and the arrows move a link step by step; it keeps the focus, says its place, and Ctrl+Z takes it back', async () => {
    const { user } = await open();
    focus('Cabo');
    await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
    await waitFor(() => expect(shown()).toBe('ACBDEFGH'));
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Cabo'));
    expect(await screen.findByText('Cabo: lugar 2 de 8')).toBeTruthy();
    await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
    await waitFor(() => expect(shown()).toBe('CABDEFGH'));
    await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
    expect(await screen.findByText('Já é o primeiro link')).toBeTruthy();
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
    await waitFor(() => expect(shown()).toBe('ACBDEFGH'));
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Cabo'));
    // No words on the screen for what the eye sees.
    expect(screen.queryByText('Link mudou de lugar')).toBeNull();
    await user.keyboard('{Control>}z{/Control}');
    await waitFor(() => expect(shown()).toBe('CABDEFGH'));
  });

  test('the menu of a link has the same steps, as far as there are any', async () => {
    const { user } = await open();
    focus('Hub');
    await user.keyboard('{Shift>}{F10}{/Shift}');
    const down = await screen.findByRole('menuitem', { name: /^Descer/ });
    expect(down.getAttribute('aria-disabled')).toBe('true');
    await user.click(screen.getByRole('menuitem', { name: /^Subir/ }));
    await waitFor(() => expect(shown()).toBe('ABCDEFHG'));
  });
});

test('what was deleted comes back to its place', async () => {
  const { user } = await open();
  drag('Hub', 10, 10);
  await waitFor(() => expect(shown()).toBe('HABCDEFG'));
  drag('Grade', 190, 20);
  await waitFor(() => expect(shown()).toBe('HAGBCDEF'));
  focus('Grade');
  await user.keyboard('{Delete}');
  const dialog = await screen.findByRole('alertdialog', { name: 'Confirmar exclusão' });
  await user.click(within(dialog).getByRole('button', { name: 'Excluir' }));
  expect(await screen.findByText('Link excluído com sucesso')).toBeTruthy();
  expect(shown()).toBe('HABCDEF');
  const [newest] = await screen.findAllByRole('button', { name: 'Desfazer' });
  await user.click(newest as HTMLElement);
  await waitFor(() => expect(shown()).toBe('HAGBCDEF'));
});

test('a received category is in its owner’s order, which its reader cannot change', async () => {
  localStorage.clear();
  const theirs = library.add('categories', { name: 'Receitas', user_id: 'outra', name_users: 'Clara' });
  for (const title of TITLES.toReversed())
    library.add('links', {
      title,
      url: `https://exemplo.com/${title}`,
      category_id: theirs['id'],
      user_id: 'outra',
    });
  const last = library.table('links').find(({ title }) => title === 'Hub');
  library.table('manual_order').push({ category_id: theirs['id'] }, { link_id: last?.['id'], rank: 'f' });
  library
    .table('shared_with')
    .push({ category_id: theirs['id'], email: 'ana@exemplo.com', created_at: theirs['created_at'] });
  const { user } = openSignedIn(`/category/${String(theirs['id'])}`);
  expect(await screen.findByRole('button', { name: 'Ordem: Ordem da categoria' })).toBeTruthy();
  await waitFor(() => expect(shown()).toBe('HABCDEFG'));
  focus('Hub');
  await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
  expect(shown()).toBe('HABCDEFG');
  // To look at it otherwise is theirs.
  await chooseOrder(user, 'Ordem da categoria', 'Mais novos');
  await waitFor(() => expect(shown()).toBe('ABCDEFGH'));
  expect(isManual()).toBe(true);
});
