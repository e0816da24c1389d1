import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { PickList } from './pick-dialog.tsx';
import type { OfferCreation } from './pick-options.ts';

const groups = [
  { label: 'Recentes', shortcut: true, options: [{ id: 'b', name: 'Ação', detail: 'Filmes' }] },
  {
    label: 'Filmes',
    options: [
      { id: 'a', name: 'Drama' },
      { id: 'b', name: 'Ação' },
    ],
  },
  {
    label: 'Música',
    options: [
      { id: 'c', name: 'Samba', disabled: true },
      { id: 'd', name: 'Forró' },
    ],
  },
];

function setUp(offerCreation: OfferCreation = () => null) {
  const onPick = vi.fn();
  render(
    <PickList
      label="Buscar"
      listLabel="Coisas"
      groups={groups}
      emptyText="Nada encontrado"
      offerCreation={offerCreation}
      onPick={onPick}
    />,
  );
  return { onPick, user: userEvent.setup(), field: screen.getByRole('combobox', { name: 'Buscar' }) };
}

const names = () => screen.queryAllByRole('option').map((option) => option.textContent);
const chosen = () => screen.queryByRole('option', { selected: true })?.textContent;

test('arrows walk past what cannot be picked and round the ends, Enter picks', async () => {
  const { user, field, onPick } = setUp();
  await user.click(field);
  expect(chosen()).toBe('AçãoFilmes');
  await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}');
  expect(chosen()).toBe('Forró');
  expect(field.getAttribute('aria-activedescendant')).toBe(screen.getByRole('option', { name: 'Forró' }).id);
  await user.keyboard('{ArrowDown}');
  expect(chosen()).toBe('AçãoFilmes');
  await user.keyboard('{ArrowUp}{Enter}');
  expect(onPick).toHaveBeenCalledExactlyOnceWith('d', '');
});

test('where the list itself has the keyboard, it says which option is meant', async () => {
  const { user, onPick } = setUp();
  const list = screen.getByRole('listbox', { name: 'Coisas' });
  act(() => list.focus());
  await user.keyboard('{ArrowDown}');
  expect(chosen()).toBe('Drama');
  expect(list.getAttribute('aria-activedescendant')).toBe(screen.getByRole('option', { name: 'Drama' }).id);
  await user.keyboard('{Enter}');
  expect(onPick).toHaveBeenCalledExactlyOnceWith('a', '');
});

test('words narrow the list down, without accents, by the group too; then nothing stands there twice', async () => {
  const { user, field, onPick } = setUp();
  await user.type(field, 'acao');
  expect(names()).toEqual(['Ação']);
  await user.clear(field);
  await user.type(field, 'musica FOR');
  expect(names()).toEqual(['Forró']);
  await user.keyboard('{Enter}');
  expect(onPick).toHaveBeenCalledExactlyOnceWith('d', 'musica FOR');
});

test('nothing that matches says so, and Enter does nothing', async () => {
  const { user, field, onPick } = setUp();
  await user.type(field, 'xadrez{Enter}');
  expect(names()).toEqual([]);
  expect(screen.getByRole('status').textContent).toBe('Nada encontrado');
  expect(onPick).not.toHaveBeenCalled();
});

test('a press picks, except on what is disabled', async () => {
  const { user, onPick } = setUp();
  await user.click(screen.getByRole('option', { name: 'Samba' }));
  expect(onPick).not.toHaveBeenCalled();
  await user.click(screen.getByRole('option', { name: 'Drama' }));
  expect(onPick).toHaveBeenCalledExactlyOnceWith('a', '');
});

test('what is typed can be made: last of what matches, first where nothing does', async () => {
  const { user, field, onPick } = setUp((term) =>
    term === '' ? null : { id: 'new', name: `Criar "${term}"` },
  );
  await user.type(field, 'forr');
  expect(names()).toEqual(['Forró', 'Criar "forr"']);
  expect(chosen()).toBe('Forró');
  await user.type(field, 'a{Enter}');
  expect(onPick).toHaveBeenCalledExactlyOnceWith('new', 'forra');
});

test('a thousand are narrowed down, walked and picked', async () => {
  const many = Array.from({ length: 1000 }, (_, at) => ({ id: `n${at}`, name: `Nome ${at}` }));
  const onPick = vi.fn();
  render(
    <PickList
      label="Buscar"
      listLabel="Muitas"
      groups={[{ label: 'Todas', options: many }]}
      emptyText="Nada"
      onPick={onPick}
    />,
  );
  const user = userEvent.setup();
  await user.type(screen.getByRole('combobox', { name: 'Buscar' }), 'nome 98{ArrowDown}{Enter}');
  expect(onPick).toHaveBeenCalledExactlyOnceWith('n198', 'nome 98');
});
