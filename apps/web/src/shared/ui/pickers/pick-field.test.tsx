import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { Dialog } from '../dialogs/dialog.tsx';
import { PickField } from './pick-field.tsx';
import { placeBeside } from './use-popup-place.ts';

const groups = [
  { label: 'Recentes', shortcut: true, options: [{ id: 'b', name: 'Ação', detail: 'Filmes' }] },
  {
    label: 'Filmes',
    options: [
      { id: 'a', name: 'Drama' },
      { id: 'b', name: 'Ação' },
    ],
  },
  { label: 'Música', options: [{ id: 'd', name: 'Forró' }] },
];
const names: Record<string, string> = { a: 'Filmes / Drama', b: 'Filmes / Ação', d: 'Música / Forró' };

interface Called {
  readonly onPick: (id: string, term: string) => void;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
}

function Form({ onPick, onSubmit, onClose }: Called) {
  const [value, setValue] = useState('a');
  return (
    <Dialog open title="Formulário" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        <PickField
          label="Gênero"
          listLabel="Gêneros"
          groups={groups}
          value={value}
          valueText={names[value] ?? ''}
          placeholder="Escolha"
          emptyText="Nada encontrado"
          offerCreation={(term) => (term === '' ? null : { id: 'new', name: `Criar "${term}"` })}
          busy={false}
          onPick={(id, term) => {
            onPick(id, term);
            setValue(id);
          }}
        />
        <button type="submit">Salvar</button>
      </form>
    </Dialog>
  );
}

function setUp() {
  const called = { onPick: vi.fn(), onSubmit: vi.fn(), onClose: vi.fn() };
  render(<Form {...called} />);
  const field = screen.getByRole('combobox', { name: 'Gênero' }) as HTMLInputElement;
  return { ...called, user: userEvent.setup(), field };
}

const options = () => screen.queryAllByRole('option').map((option) => option.textContent);
const active = () => screen.queryByRole('option', { selected: true })?.textContent;

test('it shows what is picked, and opens on what is picked', async () => {
  const { user, field } = setUp();
  expect(field.value).toBe('Filmes / Drama');
  expect(field.getAttribute('aria-expanded')).toBe('false');
  await user.click(field);
  expect(field.getAttribute('aria-expanded')).toBe('true');
  expect(options()).toEqual(['AçãoFilmes', 'Drama', 'Ação', 'Forró']);
  expect(active()).toBe('Drama');
  expect(field.getAttribute('aria-activedescendant')).toBe(screen.getByRole('option', { name: 'Drama' }).id);
});

test('typing takes the place of what is picked; Enter picks and does not send the form, the next one does', async () => {
  const { user, field, onPick, onSubmit } = setUp();
  await user.click(field);
  await user.keyboard('musica/FOR');
  expect(options()).toEqual(['Forró', 'Criar "musica/FOR"']);
  await user.keyboard('{Enter}');
  expect(onPick).toHaveBeenCalledExactlyOnceWith('d', 'musica/FOR');
  expect(field.value).toBe('Música / Forró');
  expect(onSubmit).not.toHaveBeenCalled();
  expect(options()).toEqual([]);
  await user.keyboard('{Enter}');
  expect(onSubmit).toHaveBeenCalledTimes(1);
});

test('arrows open it and walk to the end, where what is typed can be made', async () => {
  const { user, field, onPick } = setUp();
  field.focus();
  await user.keyboard('{ArrowDown}');
  expect(active()).toBe('Drama');
  await user.keyboard('{Escape}r');
  expect(options()).toEqual(['Drama', 'Forró', 'Criar "r"']);
  await user.keyboard('{ArrowUp}{Enter}');
  expect(onPick).toHaveBeenCalledExactlyOnceWith('new', 'r');
});

test('Esc closes the list and nothing else; what was picked stays, also when one leaves', async () => {
  const { user, field, onPick, onClose } = setUp();
  await user.click(field);
  await user.keyboard('xadrez{Escape}');
  expect(options()).toEqual([]);
  expect(field.value).toBe('Filmes / Drama');
  expect(onClose).not.toHaveBeenCalled();
  await user.keyboard('xadrez');
  await user.tab();
  expect(field.value).toBe('Filmes / Drama');
  expect(onPick).not.toHaveBeenCalled();
  field.focus();
  await user.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledTimes(1);
});

test('Tab takes what matches along, but makes nothing', async () => {
  const { user, field, onPick } = setUp();
  await user.click(field);
  await user.keyboard('acao');
  await user.tab();
  expect(onPick).toHaveBeenCalledExactlyOnceWith('b', 'acao');
  expect(field.value).toBe('Filmes / Ação');
});

test('a press picks', async () => {
  const { user, field, onPick } = setUp();
  await user.click(field);
  await user.click(screen.getByRole('option', { name: 'Forró' }));
  expect(onPick).toHaveBeenCalledExactlyOnceWith('d', '');
  expect(options()).toEqual([]);
});

test.each([
  ['below, where there is room', { top: 100, bottom: 144 }, { top: '148px', maxHeight: '320px' }],
  ['above, where there is more', { top: 700, bottom: 744 }, { bottom: 'calc(100% - 696px)', top: 'auto' }],
  ['within what a keyboard leaves', { top: 60, bottom: 104 }, { top: '108px', maxHeight: '288px' }],
])('the list stands %s', (name, { top, bottom }, expected) => {
  const sight = name.includes('keyboard') ? { top: 0, bottom: 400 } : { top: 0, bottom: 800 };
  expect(placeBeside({ top, bottom, left: 8, width: 300 }, sight)).toMatchObject({
    left: '8px',
    width: '300px',
    ...expected,
  });
});
