import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeSession } from '../../shared/test/create-fake-auth.ts';
import { beginWithLibrary } from '../test/begin-with-library.ts';
import { openSignedIn } from '../test/open-signed-in.ts';

const library = beginWithLibrary();

/** 'Estudos / Redes' and so many more of each as are asked for. */
function fill({ links = 0, categories = 1 }: { readonly links?: number; readonly categories?: number }) {
  const folder = library.add('folders', { name: 'Estudos' });
  const redes = library.add('categories', { name: 'Redes', folder_id: folder['id'], is_public: false });
  for (let at = 2; at <= categories; at += 1)
    library.add('categories', { name: `Outra ${at}`, folder_id: folder['id'], is_public: false });
  for (let at = 1; at <= links; at += 1)
    library.add('links', { title: `Nota ${at}`, url: `https://exemplo.com/${at}`, category_id: redes['id'] });
  return `/category/${String(redes['id'])}`;
}

const lockOf = (element: Element) => element.getAttribute('aria-description');

test('a full plan says so on the button, in the form before anything is typed, and leads to the plans with what is typed', async () => {
  const { user, path } = openSignedIn(fill({ links: 20 }));
  const button = await screen.findByRole('button', { name: 'Adicionar Link' });
  await waitFor(() => expect(lockOf(button)).toBe('20 de 20 links'));
  await user.click(button);
  const form = within(await screen.findByRole('dialog', { name: 'Adicionar Link' }));
  expect(form.getByRole('note').textContent).toBe('20 de 20 links. O Plus leva 500.Ver planos');
  await user.type(form.getByLabelText('URL'), 'https://exemplo.com/mais');
  await user.click(form.getByRole('button', { name: 'Ver planos' }));
  await waitFor(() => expect(path()).toBe('/plans'));
  await user.click(await screen.findByRole('button', { name: 'Continuar de onde parou' }));
  expect(((await screen.findByLabelText('URL')) as HTMLInputElement).value).toBe('https://exemplo.com/mais');
  expect(screen.queryAllByRole('alert')).toEqual([]);
});

test('with one place left the form says how many are used; with three it says nothing, nor does the button', async () => {
  const path = fill({ links: 19 });
  const { user } = openSignedIn(path);
  const button = await screen.findByRole('button', { name: 'Adicionar Link' });
  await screen.findByText('Apenas 1 link restante do seu limite de 20.');
  expect(lockOf(button)).toBeNull();
  await user.click(button);
  const form = within(await screen.findByRole('dialog', { name: 'Adicionar Link' }));
  expect(form.getByRole('note').textContent).toContain('19 de 20 links.');
  expect(form.getByRole('note').textContent).not.toContain('O Plus');
});

test('room enough is not spoken of', async () => {
  const { user } = openSignedIn(fill({ links: 17 }));
  await user.click(await screen.findByRole('button', { name: 'Adicionar Link' }));
  const form = within(await screen.findByRole('dialog', { name: 'Adicionar Link' }));
  expect(form.queryByRole('note')).toBeNull();
});

test('no room for another category is said in the tree, in its form, and where one is made on the way', async () => {
  const { user, path } = openSignedIn(fill({ categories: 5 }));
  const add = await screen.findByRole('button', { name: 'Adicionar categoria em Estudos' });
  await waitFor(() => expect(lockOf(add)).toBe('5 de 5 categorias'));
  await user.click(await screen.findByRole('button', { name: 'Adicionar Link' }));
  const link = within(await screen.findByRole('dialog', { name: 'Adicionar Link' }));
  const category = link.getByLabelText('Categoria');
  await user.clear(category);
  await user.type(category, 'Nova');
  const option = await screen.findByRole('option', { name: /Criar "Nova"/ });
  expect(option.textContent).toContain('5 de 5 categorias');
  await user.click(option);
  expect(await link.findByText(/O Plus leva 20\./)).toBeTruthy();
  // Nothing failed: the field is not marked as wrong.
  expect(category.getAttribute('aria-invalid')).not.toBe('true');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Adicionar Link' })).toBeNull());

  await user.click(add);
  const form = within(await screen.findByRole('dialog', { name: 'Nova Categoria' }));
  expect(form.getByRole('note').textContent).toBe('5 de 5 categorias. O Plus leva 20.Ver planos');
  await user.type(form.getByLabelText('Nome da Categoria'), 'Sexta');
  await user.click(form.getByRole('button', { name: 'Ver planos' }));
  await waitFor(() => expect(path()).toBe('/plans'));
  expect(await screen.findByText(/Sua categoria está guardada\./)).toBeTruthy();
});

test('bookmark files say before the press which plan has them', async () => {
  fill({});
  const { user } = openSignedIn('/profile?tab=data');
  const choose = await screen.findByRole('button', { name: 'Escolher arquivo' });
  await waitFor(() => expect(lockOf(choose)).toBe('Disponível no Plus'));
  expect(lockOf(screen.getByRole('button', { name: 'Exportar' }))).toBe('Disponível no Plus');
  const notes = screen.getAllByRole('note');
  expect(notes.map(({ textContent }) => textContent)).toEqual([
    'Disponível no PlusVer planos',
    'Disponível no PlusVer planos',
  ]);
  await user.click(choose);
  expect(await screen.findByText('Recurso indisponível')).toBeTruthy();
});

test('a received category says on its button that there is no room for a copy, and one that stays closed which plan opens it', async () => {
  // The service of the tests counts what is received as well.
  fill({ categories: 3 });
  const received = ['De Bia', 'De Caio'].map((name) => {
    const category = library.add('categories', { name, name_users: 'Bia', user_id: 'outra', folder_id: 'x' });
    library.table('shared_with').push({
      email: fakeSession().user.email,
      category_id: category['id'],
      created_at: '2025-05-11T12:00:00Z',
    });
    return String(category['id']);
  });
  openSignedIn(`/category/${received[0]}`);
  const copy = await screen.findByRole('button', { name: 'Copiar para minha biblioteca' });
  await waitFor(() => expect(lockOf(copy)).toBe('5 de 5 categorias'));
  const closed = await screen.findByRole('button', { name: /^De Caio/ });
  expect(lockOf(closed)).toBe('Disponível no Plus');
  const opened = screen.getByRole('button', { name: /^De Bia/ });
  expect(lockOf(opened)).toBeNull();
});
