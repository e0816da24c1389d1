import { act, createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { beginWithLibrary } from '../test/begin-with-library.ts';
import { openSignedIn } from '../test/open-signed-in.ts';

const library = beginWithLibrary(() =>
  Promise.all([
    import('../../features/links/components/arrangement-bar.tsx'),
    import('../../features/links/components/form/link-dialog.tsx'),
    import('../../features/links/components/link-info-dialog.tsx'),
  ]),
);

const TITLES = ['Antena', 'Banco', 'Cabo', 'Dado', 'Elo', 'Fio', 'Grade', 'Hub'];

/** Opens a category of eight cards, in three columns, with the keyboard on the first. */
async function open(titles: readonly string[] = TITLES) {
  const folder = library.add('folders', { name: 'Estudos' });
  const category = library.add('categories', { name: 'Redes', folder_id: folder['id'], is_public: false });
  for (const title of titles.toReversed()) {
    library.add('links', { title, url: `https://exemplo.com/${title}`, category_id: category['id'] });
  }
  const { user } = openSignedIn(`/category/${String(category['id'])}`);
  const first = await screen.findByRole('link', { name: titles[0] ?? '' });
  act(() => first.focus());
  return { user, first };
}

/** Presses letters 100 ms after each other, the first at a time that the test says. */
function spell(letters: string, startsAt: number) {
  for (const [index, key] of [...letters].entries()) {
    const place = document.activeElement ?? document.body;
    const press = createEvent.keyDown(place, { key, shiftKey: key !== key.toLowerCase() });
    Object.defineProperty(press, 'timeStamp', { value: startsAt + index * 100 });
    fireEvent(place, press);
  }
}

const focusedTitle = () => document.activeElement?.textContent;
const ticked = () => screen.queryAllByRole('checkbox', { checked: true }).map((each) => each.textContent);
const list = () => screen.getByRole('list', { name: 'Links' });

describe('the keyboard among links', () => {
  test('has one stop, and walks in two directions', async () => {
    const { user } = await open();
    expect(list().querySelectorAll('[tabindex="0"]')).toHaveLength(1);
    for (const [key, title] of [
      ['{ArrowRight}', 'Banco'],
      ['{ArrowDown}', 'Elo'],
      ['{End}', 'Fio'],
      ['{ArrowDown}', 'Hub'],
      ['{ArrowDown}', 'Hub'],
      ['{Home}', 'Grade'],
      ['{ArrowUp}', 'Dado'],
      ['{Control>}{End}{/Control}', 'Hub'],
      ['{Control>}{Home}{/Control}', 'Antena'],
    ] as const) {
      await user.keyboard(key);
      expect(focusedTitle(), key).toBe(title);
      expect(list().querySelectorAll('[tabindex="0"]')).toHaveLength(1);
    }
  });

  test('jumps to a title by its letters, also by those that are commands', async () => {
    await open(['Antena', 'Banco', 'Elo', 'Estação', 'Xadrez']);
    spell('b', 10_000);
    expect(focusedTitle()).toBe('Banco');
    spell('Estac', 10_701);
    expect(focusedTitle()).toBe('Estação');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('ticks with space and x, and ranges with Shift; Esc leaves', async () => {
    const { user } = await open();
    await user.keyboard(' ');
    expect(ticked()).toEqual(['Antena']);
    expect(focusedTitle()).toBe('Antena');
    await user.keyboard('{ArrowRight}{ArrowRight}x');
    expect(ticked()).toEqual(['Antena', 'Cabo']);
    await user.keyboard('{Shift>}{ArrowRight}{ArrowRight}{/Shift}');
    expect(ticked()).toEqual(['Antena', 'Cabo', 'Dado', 'Elo']);
    await user.keyboard('{Shift>}{ArrowLeft}{/Shift}');
    expect(ticked()).toEqual(['Antena', 'Cabo', 'Dado']);
    expect(await screen.findByText('3 links selecionados')).toBeTruthy();
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('toolbar', { name: 'Seleção' })).toBeNull();
    expect(focusedTitle()).toBe('Dado');
    expect(await screen.findByText('Seleção encerrada')).toBeTruthy();
  });

  test.each(['{Escape}', 'x'])(
    '%s in the bar of what is picked leaves the keyboard with the links',
    async (key) => {
      const { user } = await open();
      await user.keyboard(' ');
      await user.click(screen.getByRole('button', { name: 'Selecionar todos' }));
      expect(document.activeElement?.textContent).toBe('Limpar seleção');
      await user.keyboard(key);
      expect(screen.queryByRole('toolbar', { name: 'Seleção' })).toBeNull();
      expect(focusedTitle()).toBe('Antena');
    },
  );

  test('x on a button that the bar covers brings the keyboard to the links', async () => {
    const { user } = await open();
    act(() => screen.getByRole('button', { name: /Adicionar Link/ }).focus());
    await user.keyboard('x');
    expect(screen.getByRole('toolbar', { name: 'Seleção' })).toBeTruthy();
    expect(focusedTitle()).toBe('Antena');
  });

  test('Esc elsewhere leaves it there', async () => {
    const { user } = await open();
    await user.keyboard(' ');
    const elsewhere = screen.getByRole('link', { name: 'Linkoteca, ir para o início' });
    act(() => elsewhere.focus());
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('toolbar', { name: 'Seleção' })).toBeNull();
    expect(document.activeElement).toBe(elsewhere);
  });

  test('selects every displayed link with Ctrl+A', async () => {
    const { user } = await open();
    await user.keyboard('{Control>}a{/Control}');
    expect(ticked()).toHaveLength(TITLES.length);
    expect(screen.getByText('8 selecionados')).toBeTruthy();
  });

  test('opens what the keys promise, and focus comes back to the link', async () => {
    const { user } = await open();
    await user.keyboard('{ArrowRight}');
    for (const [key, title] of [
      ['e', 'Editar Link'],
      ['{F2}', 'Editar Link'],
      ['i', 'Informações do link'],
    ] as const) {
      await user.keyboard(key);
      await screen.findByRole('dialog', { name: title });
      await user.keyboard('{Escape}');
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      await waitFor(() => expect(focusedTitle()).toBe('Banco'));
    }
    await user.keyboard('{Shift>}{F10}{/Shift}');
    expect(await screen.findByRole('menu', { name: 'Ações do link Banco' })).toBeTruthy();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(focusedTitle()).toBe('Banco'));
    await user.keyboard('c');
    expect(await screen.findByText('Link copiado para a área de transferência')).toBeTruthy();
    expect(await navigator.clipboard.readText()).toBe('https://exemplo.com/Banco');
  });

  test('opens a link with Enter in selection mode, too', async () => {
    const { user } = await open();
    const opened = vi.spyOn(window, 'open').mockReturnValue(null);
    await user.keyboard(' {ArrowRight}{Enter}');
    expect(opened).toHaveBeenCalledExactlyOnceWith(
      'https://exemplo.com/Banco',
      '_blank',
      'noopener,noreferrer',
    );
    expect(ticked()).toEqual(['Antena']);
  });

  test('goes to the neighbour after a deletion, and stays where it is when it is called off', async () => {
    const { user } = await open();
    await user.keyboard('{ArrowRight}{Delete}');
    const dialog = await screen.findByRole('alertdialog', { name: 'Confirmar exclusão' });
    await user.click(within(dialog).getByRole('button', { name: 'Cancelar' }));
    await waitFor(() => expect(focusedTitle()).toBe('Banco'));
    await user.keyboard('{Delete}');
    const again = await screen.findByRole('alertdialog', { name: 'Confirmar exclusão' });
    await user.click(within(again).getByRole('button', { name: 'Excluir' }));
    expect(await screen.findByText('Link excluído com sucesso')).toBeTruthy();
    await waitFor(() => expect(focusedTitle()).toBe('Cabo'));
  });

  test('deletes what is picked, and goes to the nearest that stays', async () => {
    const { user } = await open();
    await user.keyboard('{Shift>}{ArrowRight}{ArrowRight}{/Shift}{Delete}');
    const dialog = await screen.findByRole('alertdialog', { name: 'Confirmar exclusão' });
    expect(within(dialog).getByText('3 links selecionados')).toBeTruthy();
    await user.click(within(dialog).getByRole('button', { name: 'Excluir' }));
    expect(await screen.findByText('3 links excluídos com sucesso')).toBeTruthy();
    await waitFor(() => expect(focusedTitle()).toBe('Dado'));
    expect(screen.queryByRole('toolbar', { name: 'Seleção' })).toBeNull();
  });
});

describe('the mouse among links', () => {
  const press = (title: string, held: object = {}) =>
    fireEvent.click(screen.getByText(title, { selector: 'a' }), held);

  test('Ctrl starts picking, Shift picks all between', async () => {
    await open();
    press('Banco', { ctrlKey: true });
    expect(ticked()).toEqual(['Banco']);
    press('Elo', { shiftKey: true });
    expect(ticked()).toEqual(['Banco', 'Cabo', 'Dado', 'Elo']);
    press('Cabo');
    expect(ticked()).toEqual(['Banco', 'Dado', 'Elo']);
  });

  test('a plain press is left to the link; in selection mode it only ticks', async () => {
    await open();
    expect(press('Banco')).toBe(true);
    expect(ticked()).toEqual([]);
    press('Cabo', { metaKey: true });
    expect(press('Banco')).toBe(false);
    expect(ticked()).toEqual(['Banco', 'Cabo']);
  });

  test('choosing Selecionar brings the keyboard to the links, leaving keeps it there', async () => {
    const { user } = await open();
    await user.click(screen.getByRole('button', { name: 'Selecionar' }));
    expect(focusedTitle()).toBe('Antena');
    expect(await screen.findByText('Modo de seleção: marque links com a barra de espaço')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Sair da seleção' }));
    expect(focusedTitle()).toBe('Antena');
  });
});

describe('the order and the filter of a category', () => {
  const shownLinks = () =>
    within(list())
      .getAllByRole('link')
      .map((each) => each.textContent);

  test('what is for links has its place before they come', async () => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    library.control.beforeRead = (relation) => (relation === 'links' ? answered : Promise.resolve());
    const opened = open();
    const select = await screen.findByRole('button', { name: 'Selecionar' });
    expect(select).toHaveProperty('disabled', true);
    answer();
    await opened;
    expect(screen.getByRole('button', { name: 'Selecionar' })).toHaveProperty('disabled', false);
  });

  test('an order is kept for the next visit', async () => {
    const { user } = await open(TITLES.toReversed());
    expect(shownLinks()[0]).toBe('Hub');
    await user.click(screen.getByRole('button', { name: 'Ordem: Mais novos' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Título, A–Z' }));
    expect(shownLinks()).toEqual(TITLES);
    expect(localStorage.getItem('linkoteca-link-order')).toBe('title');
  });

  test('the filter narrows with each letter, says when nothing fits, and goes by one press', async () => {
    const { user, first } = await open();
    expect(document.activeElement).toBe(first);
    await user.keyboard('f');
    const field = screen.getByLabelText('Filtrar os links desta categoria');
    expect(document.activeElement).toBe(field);
    await user.type(field, 'ab');
    expect(shownLinks()).toEqual(['Cabo']);
    await user.type(field, 'x');
    expect(screen.getByText('Nenhum link desta categoria com “abx”')).toBeTruthy();
    await user.keyboard('{Escape}');
    expect(shownLinks()).toEqual(TITLES);
    await user.type(field, 'zz');
    // One beside the field, one below what it says.
    await user.click(screen.getAllByRole('button', { name: 'Limpar filtro' })[1] as HTMLElement);
    expect(shownLinks()).toEqual(TITLES);
    expect(document.activeElement?.id).toBe('page');
    await user.type(field, 'ab');
    await user.click(screen.getByRole('button', { name: 'Limpar filtro' }));
    expect(document.activeElement).toBe(field);
  });

  test('few links are seen at a glance: there is neither', async () => {
    await open(TITLES.slice(0, 7));
    expect(screen.queryByRole('button', { name: /^Ordem/ })).toBeNull();
  });
});

describe('a page scrolled before its links are there', () => {
  test('stays where its reader put it', async () => {
    vi.spyOn(Element.prototype, 'scrollTo').mockImplementation(function (this: Element, ...[to]: unknown[]) {
      this.scrollTop = (to as ScrollToOptions).top ?? 0;
    });
    const answer = Promise.withResolvers<void>();
    const category = library.add('categories', {
      name: 'Redes',
      folder_id: library.add('folders', { name: 'Estudos' })['id'],
    });
    library.add('links', { title: 'Antena', url: 'https://exemplo.com', category_id: category['id'] });
    library.control.beforeRead = (relation) => (relation === 'links' ? answer.promise : Promise.resolve());
    openSignedIn(`/category/${String(category['id'])}`);
    await screen.findByRole('heading', { name: 'Redes' });
    const page = screen.getByRole('main');
    page.scrollTop = 300;
    answer.resolve();
    await screen.findByRole('link', { name: 'Antena' });
    expect(page.scrollTop).toBe(300);
  });
});
