import 'fake-indexeddb/auto';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { pickCategory } from '../../../features/links/test/render-link-dialog.tsx';
import { expectConsoleError } from '../../../shared/test/setup-browser-tests.ts';
import { beginWithLibrary } from '../../test/begin-with-library.ts';
import { openSignedIn } from '../../test/open-signed-in.ts';

const library = beginWithLibrary(() =>
  Promise.all([
    import('../../pages/inbox-page.tsx'),
    import('../../../features/links/components/form/link-dialog.tsx'),
    import('../use-undoable-deletion.ts'),
  ]),
);

let inboxId: unknown;
/** An inbox of three, the newest on top, and places where links of their kind are. */
beforeEach(() => {
  const kitchen = library.add('folders', { name: 'Cozinha' });
  const work = library.add('folders', { name: 'Trabalho' });
  const sweets = library.add('categories', { name: 'Doces', folder_id: kitchen['id'] });
  library.add('categories', { name: 'Código', folder_id: work['id'] });
  library.add('links', { title: 'Brigadeiro', url: 'https://doce.com.br/1', category_id: sweets['id'] });
  const folder = library.add('folders', { name: 'Minha biblioteca' });
  inboxId = library.add('categories', { name: 'Entrada', folder_id: folder['id'] })['id'];
  library.add('inboxes', { category_id: inboxId });
  for (const [title, url] of [
    ['Terceiro', 'https://x.br'],
    ['Código limpo', 'https://y.br'],
    ['Beijinho', 'https://doce.com.br/2'],
  ])
    library.add('links', { title, url, category_id: inboxId });
});

const shown = () => within(screen.getByRole('article')).getByRole('heading', { level: 2 });
const untilShown = (title: string) => waitFor(() => expect(shown().textContent).toBe(title));
const suggested = () =>
  within(screen.getByRole('list', { name: 'Para onde vai?' }))
    .getAllByRole('button')
    .map((button) => button.textContent);
const placeOf = (title: string) => {
  const link = library.table('links').find((row) => row['title'] === title);
  return library.table('categories').find(({ id }) => id === link?.['category_id'])?.['name'];
};

describe('the inbox shows one link at a time', () => {
  test('with the places that fit it, of the person’s own library', async () => {
    openSignedIn('/entrada');
    await untilShown('Beijinho');
    expect(screen.getByText(/3 links para organizar/)).toBeTruthy();
    await waitFor(() => expect(suggested()).toEqual(['Doces Cozinha1', 'Código Trabalho2']));
  });

  test('which a key moves; what comes next takes its place, and undo brings it back', async () => {
    const { user } = openSignedIn('/entrada');
    await untilShown('Beijinho');
    await waitFor(() => expect(suggested()[0]).toMatch(/^Doces/));
    await user.keyboard('1');
    await untilShown('Código limpo');
    expect(suggested()[0]).toMatch(/^Código/);
    expect(placeOf('Beijinho')).toBe('Doces');
    expect(await screen.findByText(/2 links para organizar/)).toBeTruthy();
    await user.keyboard('1');
    await untilShown('Terceiro');
    expect(placeOf('Código limpo')).toBe('Código');
    await user.keyboard('{Control>}z{/Control}');
    await untilShown('Código limpo');
    expect(placeOf('Código limpo')).toBe('Entrada');
  });

  test('which a press moves as well', async () => {
    const { user } = openSignedIn('/entrada');
    await untilShown('Beijinho');
    await user.click(await screen.findByRole('button', { name: /^Código/ }));
    await untilShown('Código limpo');
    expect(placeOf('Beijinho')).toBe('Código');
  });

  test('which goes to the bin at once, and back', async () => {
    const { user } = openSignedIn('/entrada');
    await untilShown('Beijinho');
    await user.keyboard('d');
    await untilShown('Código limpo');
    expect(placeOf('Beijinho')).toBeUndefined();
    await user.click(await screen.findByRole('button', { name: 'Desfazer' }));
    await untilShown('Beijinho');
    expect(placeOf('Beijinho')).toBe('Entrada');
  });

  test('and comes back at once where undo follows in the same breath; what was moved before it stays moved', async () => {
    const { user } = openSignedIn('/entrada');
    await untilShown('Beijinho');
    await waitFor(() => expect(suggested()[0]).toMatch(/^Doces/));
    await user.keyboard('1');
    await untilShown('Código limpo');
    await screen.findByText('Link movido para Doces');
    // Nothing comes in between, not even the code that follows a deletion.
    fireEvent.keyDown(document.body, { key: 'd' });
    fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true });
    expect(await screen.findByText('Exclusão desfeita')).toBeTruthy();
    await untilShown('Código limpo');
    expect([placeOf('Beijinho'), placeOf('Código limpo')]).toEqual(['Doces', 'Entrada']);
  });

  test('which is edited, and while someone types no key acts', async () => {
    const { user } = openSignedIn('/entrada');
    await untilShown('Beijinho');
    await user.keyboard('e');
    const form = await screen.findByRole('dialog', { name: 'Editar Link' });
    const title = within(form).getByLabelText(/título/i);
    await user.clear(title);
    await user.type(title, '1 d2');
    await user.click(within(form).getByRole('button', { name: 'Salvar' }));
    await untilShown('1 d2');
    expect(placeOf('1 d2')).toBe('Entrada');
    expect(library.table('links')).toHaveLength(4);
  });

  test('the last of which keeps its form where putting it elsewhere is refused', async () => {
    library.tables['links'] = library
      .table('links')
      .filter(({ title }) => title === 'Terceiro' || title === 'Brigadeiro');
    const { user } = openSignedIn('/entrada');
    await untilShown('Terceiro');
    await user.keyboard('e');
    const form = await screen.findByRole('dialog', { name: 'Editar Link' });
    const title = within(form).getByLabelText<HTMLInputElement>('Título');
    await user.clear(title);
    await user.type(title, 'Meu título');
    await pickCategory(user, 'doces');
    const held = Promise.withResolvers<void>();
    library.control.beforeWrite = () => held.promise;
    library.control.refuse = (method, relation) =>
      method === 'PATCH' && relation === 'links' ? { status: 500, body: { message: 'x' } } : null;
    await user.click(within(form).getByRole('button', { name: 'Salvar' }));
    expect(await screen.findByText('Tudo no lugar')).toBeTruthy();
    held.resolve();
    expect(await screen.findByText('Não foi possível atualizar o link')).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('Título').value).toBe('Meu título');
  });

  test('which is skipped; after the last the first comes again', async () => {
    const { user } = openSignedIn('/entrada');
    await untilShown('Beijinho');
    await user.keyboard('p');
    await untilShown('Código limpo');
    await user.click(screen.getByRole('button', { name: 'Pular' }));
    await untilShown('Terceiro');
    await user.keyboard('p');
    await untilShown('Beijinho');
    expect(library.table('links')).toHaveLength(4);
  });

  test('which may go anywhere else', async () => {
    const { user } = openSignedIn('/entrada');
    await untilShown('Beijinho');
    await user.keyboard('m');
    const dialog = await screen.findByRole('dialog', { name: /Mover/ });
    await user.type(within(dialog).getByRole('combobox'), 'codigo{Enter}');
    await untilShown('Código limpo');
    expect(placeOf('Beijinho')).toBe('Código');
  });

  test('until all is in its place, which it says', async () => {
    const { user } = openSignedIn('/entrada');
    for (const title of ['Beijinho', 'Código limpo', 'Terceiro']) {
      await untilShown(title);
      await waitFor(() => expect(suggested().length).toBe(2));
      await user.keyboard('2');
    }
    expect(await screen.findByText('Tudo no lugar')).toBeTruthy();
    expect(library.table('links').filter((row) => row['category_id'] === inboxId)).toEqual([]);
  });
});

describe('an inbox of more than one page', () => {
  /** On top of the three, so that these are on the second page. */
  beforeEach(() => {
    library.control.inPages = true;
    for (let n = 1; n <= 50; n += 1)
      library.add('links', { title: `Nota ${n}`, url: `https://z.br/${n}`, category_id: inboxId });
  });
  async function pass(key: 'd' | 'p', from: number, to: number) {
    for (let n = from; n >= to; n -= 1) {
      await untilShown(`Nota ${n}`);
      fireEvent.keyDown(document.body, { key });
    }
  }

  test('goes on with the next one before the first is skipped', async () => {
    openSignedIn('/entrada');
    await pass('p', 50, 1);
    await untilShown('Beijinho');
  });

  test('is not done where the next one cannot be read, and goes on when asked again', async () => {
    const { user } = openSignedIn('/entrada');
    await untilShown('Nota 50');
    library.control.refuse = (method, relation) =>
      method === 'GET' && relation === 'links' ? { status: 403, body: { code: '42501' } } : null;
    await pass('d', 50, 1);
    expect(await screen.findByText('Não foi possível carregar a Entrada')).toBeTruthy();
    expect(screen.queryByText('Tudo no lugar')).toBeNull();
    expectConsoleError(/^read failed$/);
    library.control.refuse = () => null;
    await user.click(screen.getByRole('button', { name: 'Tentar de novo' }));
    await untilShown('Beijinho');
  });
});

test('an empty library has no inbox yet, and says what it is for', async () => {
  library.reset();
  openSignedIn('/entrada');
  expect(await screen.findByText('O que você salvar sem escolher uma categoria aparece aqui.')).toBeTruthy();
});
