import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useRef, useState } from 'react';
import { expect, test, vi } from 'vitest';
import { TextField } from '../fields/text-field.tsx';
import { Dialog } from './dialog.tsx';

const tokens = readFileSync(createRequire(import.meta.url).resolve('@linkoteca/design/tokens.css'), 'utf8');

function renderDialog(dirty: boolean) {
  const onClose = vi.fn();
  render(
    <Dialog open onClose={onClose} title="Nova Pasta" dirty={dirty}>
      <TextField label="Nome da Pasta" />
    </Dialog>,
  );
  return onClose;
}

test('focus starts in the first field, not on the close button', async () => {
  renderDialog(false);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Nome da Pasta')));
});

test('Esc closes at once when nothing was typed', async () => {
  const onClose = renderDialog(false);
  await userEvent.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledTimes(1);
  expect(screen.queryByText('Descartar o que você digitou?')).toBeNull();
});

test('Esc asks before it throws typed text away', async () => {
  const onClose = renderDialog(true);
  const user = userEvent.setup();
  await user.keyboard('{Escape}');
  expect(await screen.findByText('Descartar o que você digitou?')).toBeTruthy();
  expect(onClose).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: 'Continuar editando' }));
  expect(onClose).not.toHaveBeenCalled();
  await waitFor(() => expect(screen.queryByText('Descartar o que você digitou?')).toBeNull());
  await user.keyboard('{Escape}');
  await user.click(await screen.findByRole('button', { name: 'Descartar' }));
  expect(onClose).toHaveBeenCalledTimes(1);
});

test('it is at most 425 px wide unless a wide one is asked for', () => {
  renderDialog(false);
  const classNames = screen.getByRole('dialog', { name: 'Nova Pasta' }).className.split(' ');
  expect(classNames).toContain('md:max-w-dialog');
  expect(tokens).toContain('--container-dialog: 425px;');
});

/** A page with a button that opens a dialog, and a field that takes the keyboard when it closes. */
function PageWithDialog({ leadsOn }: { readonly leadsOn: boolean }) {
  const [open, setOpen] = useState(false);
  const search = useRef<HTMLInputElement>(null);
  const close = () => {
    setOpen(false);
    if (leadsOn) search.current?.focus();
  };
  return (
    <>
      <input aria-label="Busca" ref={search} />
      <button type="button" onClick={() => setOpen(true)}>
        Abrir
      </button>
      <Dialog open={open} onClose={close} title="Nova Pasta">
        <TextField label="Nome da Pasta" />
      </Dialog>
    </>
  );
}

test.each([
  ['the keyboard goes back to where it came from', false, () => screen.getByText('Abrir')],
  ['who is elsewhere by then stays there', true, () => screen.getByLabelText('Busca')],
])('when it has closed, %s', async (_what, leadsOn, place) => {
  render(<PageWithDialog leadsOn={leadsOn} />);
  const user = userEvent.setup();
  await user.click(screen.getByText('Abrir'));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Nome da Pasta')));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(place()));
  await new Promise((resolve) => requestAnimationFrame(resolve));
  expect(document.activeElement).toBe(place());
});
