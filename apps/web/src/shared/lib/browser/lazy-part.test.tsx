import { act, render, screen, waitFor } from '@testing-library/react';
import { Suspense } from 'react';
import { expect, test, vi } from 'vitest';
import { createFakeConnection } from '../../test/create-fake-connection.ts';
import { ToastRegion } from '../../ui/feedback/toast-region.tsx';
import { ConnectionContext } from '../connection/connection-context.tsx';
import { lazyPart } from './lazy-part.tsx';

const arrived = { default: ({ name }: { readonly name: string }) => <p>Parte {name}</p> };
const gone = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module: /assets/x.js'));

function setUp() {
  const connection = createFakeConnection();
  const load = vi.fn<() => Promise<typeof arrived>>(gone);
  const Part = lazyPart(load, (module) => module.default);
  const page = (shown: boolean) => (
    <ConnectionContext value={connection}>
      <p>O resto da página</p>
      <Suspense>{shown ? <Part name="um" /> : null}</Suspense>
      <ToastRegion />
    </ConnectionContext>
  );
  return { connection, load, page, preload: Part.preload };
}

test('code that does not arrive says so, harms nothing, and is fetched again at the next press', async () => {
  const { load, page } = setUp();
  const { rerender } = render(page(true));
  expect(await screen.findByText('Não foi possível abrir esta parte')).toBeTruthy();
  expect(screen.getByText('O resto da página')).toBeTruthy();
  expect(load).toHaveBeenCalledTimes(1);

  load.mockResolvedValue(arrived);
  rerender(page(false));
  rerender(page(true));
  expect(await screen.findByText('Parte um')).toBeTruthy();
});

test('without network it says that, and comes by itself when the network is back', async () => {
  const { connection, load, page } = setUp();
  connection.set(false);
  render(page(true));
  expect(await screen.findByText('Sem conexão. Tente de novo quando voltar.')).toBeTruthy();
  load.mockResolvedValue(arrived);
  act(() => connection.set(true));
  expect(await screen.findByText('Parte um')).toBeTruthy();
});

test('what was fetched ahead is drawn with what asks for it', async () => {
  const { load, page, preload } = setUp();
  load.mockResolvedValue(arrived);
  await preload();
  render(page(true));
  expect(screen.getByText('Parte um')).toBeTruthy();
});

/** As most parts are: it stays on the page, and is told when it is asked for. */
function setUpStaying() {
  const load = vi.fn<() => Promise<typeof staying>>(gone);
  const Part = lazyPart(load, (module) => module.default);
  const onClose = vi.fn();
  const page = (open: boolean) => (
    <>
      <Suspense>
        <Part open={open} onClose={onClose} />
      </Suspense>
      <ToastRegion />
    </>
  );
  return { load, onClose, page };
}
const staying = {
  default: ({ open }: { readonly open: boolean; readonly onClose: () => void }) =>
    open ? <p>Aberta</p> : null,
};
const MISSING = 'Não foi possível abrir esta parte';

test('a part that stays is closed where its code is missing, and fetched again when it is opened again', async () => {
  const { load, onClose, page } = setUpStaying();
  const { rerender } = render(page(true));
  expect(await screen.findByText(MISSING)).toBeTruthy();
  expect(onClose).toHaveBeenCalledOnce();

  load.mockResolvedValue(staying);
  rerender(page(false));
  rerender(page(true));
  expect(await screen.findByText('Aberta')).toBeTruthy();
});

test('what was fetched ahead in vain is missed by nobody until it is opened', async () => {
  const { load, onClose, page } = setUpStaying();
  const { rerender } = render(page(false));
  await waitFor(() => expect(load).toHaveBeenCalledOnce());
  await act(() => Promise.resolve());
  expect(screen.queryByText(MISSING)).toBeNull();
  expect(onClose).not.toHaveBeenCalled();

  rerender(page(true));
  expect(await screen.findByText(MISSING)).toBeTruthy();
  expect(onClose).toHaveBeenCalledOnce();
});
