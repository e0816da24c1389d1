import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  createBrowserHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
  useRouter,
} from '@tanstack/react-router';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ReactNode, useRef, useState } from 'react';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { letLayersGo } from '../../lib/browser/back-layers.ts';
import { useBackCloses } from '../../lib/browser/use-back-closes.ts';
import { TextField } from '../fields/text-field.tsx';
import { ConflictDialog } from './conflict-dialog.tsx';
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

/** A page that opens a dialog. */
function PageOfFolders() {
  const [open, setOpen] = useState(true);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Abrir
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Nova Pasta">
        <TextField label="Nome da Pasta" />
      </Dialog>
    </>
  );
}

/** A page that is left with its dialog. */
function PageOfArrival() {
  const { history } = useRouter();
  const [open, setOpen] = useState(true);
  const close = () => {
    setOpen(false);
    history.push('/?passo=3');
  };
  return (
    <Dialog open={open} onClose={close} title="Receber link">
      <TextField label="Título" />
    </Dialog>
  );
}

/** A page with a drawer, from which a dialog is opened. */
function PageWithDrawer() {
  const { history } = useRouter();
  const [drawer, setDrawer] = useState(false);
  const [dialog, setDialog] = useState(false);
  useBackCloses(drawer, () => setDrawer(false));
  const save = () => {
    setDialog(false);
    setDrawer(false);
    history.push('/?passo=3');
  };
  return (
    <>
      <button type="button" onClick={() => setDrawer(true)}>
        Abrir navegação
      </button>
      {drawer ? (
        <button type="button" onClick={() => setDialog(true)}>
          Criar
        </button>
      ) : null}
      <Dialog open={dialog} onClose={() => setDialog(false)} title="Nova Pasta">
        <button type="button" onClick={save}>
          Salvar
        </button>
      </Dialog>
    </>
  );
}

describe('the way back, with a dialog open,', () => {
  /** Shows it on the second page of a browser's history: one of memory asks nobody before a step. */
  const renderOnSecondPage = (component: () => ReactNode) => {
    const history = letLayersGo(createBrowserHistory());
    onTestFinished(() => {
      history.destroy();
      window.history.replaceState(null, '', '/');
    });
    for (const page of ['/?passo=1', '/?passo=2']) {
      history.push(page);
      history.flush();
    }
    const router = createRouter({ routeTree: createRootRoute({ component }), history });
    render(<RouterProvider router={router as never} />);
  };
  const back = () => act(() => window.history.back());
  const place = () => window.location.search;
  const dialog = () => screen.findByRole('dialog');
  const noDialog = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

  test('asks as Esc does, answers the question itself, and leaves the page below where it is', async () => {
    const onClose = vi.fn();
    renderOnSecondPage(() => (
      <Dialog open onClose={onClose} title="Editar Link" dirty>
        <TextField label="Título" />
      </Dialog>
    ));
    await dialog();
    for (let time = 0; time < 2; time += 1) {
      back();
      expect(await screen.findByText('Descartar o que você digitou?')).toBeTruthy();
      expect(place()).toBe('?passo=2');
      back();
      await waitFor(() => expect(screen.queryByText('Descartar o que você digitou?')).toBeNull());
      expect(place()).toBe('?passo=2');
    }
    expect(onClose).not.toHaveBeenCalled();
  });

  test('closes it where nothing was typed, the next one leaves the page; the way forward closes one, too', async () => {
    renderOnSecondPage(PageOfFolders);
    await dialog();
    back();
    await noDialog();
    expect(place()).toBe('?passo=2');
    back();
    await waitFor(() => expect(place()).toBe('?passo=1'));
    await userEvent.click(screen.getByRole('button', { name: 'Abrir' }));
    await dialog();
    act(() => window.history.forward());
    await noDialog();
    expect(place()).toBe('?passo=1');
  });

  test('is not held up where the history does not know how far it was', async () => {
    renderOnSecondPage(() => (
      <Dialog open onClose={() => undefined} title="Editar Link" dirty>
        <TextField label="Título" />
      </Dialog>
    ));
    await dialog();
    act(() => window.history.pushState(window.history.state, '', '/?passo=3'));
    back();
    await waitFor(() => expect(place()).toBe('?passo=2'));
    expect(screen.queryByText('Descartar o que você digitou?')).toBeNull();
  });

  test('goes on from the page of one that leads elsewhere when it closes', async () => {
    renderOnSecondPage(PageOfArrival);
    await dialog();
    back();
    await waitFor(() => expect(place()).toBe('?passo=3'));
    await noDialog();
    back();
    await waitFor(() => expect(place()).toBe('?passo=2'));
  });

  test('goes back to the form from the question which version stays', async () => {
    const onBack = vi.fn();
    const other = vi.fn();
    renderOnSecondPage(() => (
      <ConflictDialog
        open
        subject="O link"
        fields={[]}
        onBack={onBack}
        onKeepMine={other}
        onUseCurrent={other}
      />
    ));
    await screen.findByRole('alertdialog');
    back();
    await waitFor(() => expect(onBack).toHaveBeenCalledTimes(1));
    expect(other).not.toHaveBeenCalled();
    expect(place()).toBe('?passo=2');
  });

  const openOverDrawer = async () => {
    renderOnSecondPage(PageWithDrawer);
    await userEvent.click(await screen.findByRole('button', { name: 'Abrir navegação' }));
    await waitFor(() => expect(window.history.state.layer).toBe(true));
    await userEvent.click(screen.getByRole('button', { name: 'Criar' }));
    await dialog();
  };

  test('closes it before the drawer that it lies over, and then leaves the page', async () => {
    await openOverDrawer();
    back();
    await noDialog();
    expect(screen.getByRole('button', { name: 'Criar' })).toBeTruthy();
    back();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Criar' })).toBeNull());
    expect(place()).toBe('?passo=2');
    back();
    await waitFor(() => expect(place()).toBe('?passo=1'));
  });

  test('finds nothing between the page and where the dialog over its drawer led to', async () => {
    await openOverDrawer();
    await userEvent.click(screen.getByRole('button', { name: 'Salvar' }));
    await waitFor(() => expect(place()).toBe('?passo=3'));
    await noDialog();
    back();
    await waitFor(() => expect(place()).toBe('?passo=2'));
    back();
    await waitFor(() => expect(place()).toBe('?passo=1'));
  });
});
