import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ErrorBoundary } from './error-boundary.tsx';
import { LazyToastRegion } from './lazy-toast-region.tsx';
import { toast } from './toast.ts';
import { ToastRegion } from './toast-region.tsx';

test('what was said before the region arrived appears with it', async () => {
  toast.success('Pasta criada com sucesso');
  render(<ToastRegion />);
  expect(await screen.findByText('Pasta criada com sucesso')).toBeTruthy();
});

test('a region whose code cannot come harms nothing, and is asked for until it comes', async () => {
  const load = vi.fn<NonNullable<Parameters<typeof LazyToastRegion>[0]['load']>>();
  load.mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module: /assets/x.js'));
  load.mockResolvedValue({ ToastRegion });
  render(
    <ErrorBoundary>
      <p>Página</p>
      <LazyToastRegion load={load} />
    </ErrorBoundary>,
  );
  toast.success('Link salvo com sucesso');
  await waitFor(() => expect(load).toHaveBeenCalledTimes(1));
  await act(() => Promise.resolve());
  expect(screen.getByText('Página')).toBeTruthy();
  expect(await screen.findByText('Link salvo com sucesso', undefined, { timeout: 10_000 })).toBeTruthy();
  expect(screen.getByText('Página')).toBeTruthy();
});

test('toasts are announced: the region is polite and live', async () => {
  render(<ToastRegion />);
  act(() => void toast.error('Erro ao criar pasta', 'Não foi possível criar a pasta'));
  const text = await screen.findByText('Erro ao criar pasta');
  expect(text.closest('[aria-live="polite"]')).toBeTruthy();
  expect(screen.getByText('Não foi possível criar a pasta')).toBeTruthy();
});

test('the action runs once and takes the toast away', async () => {
  render(<ToastRegion />);
  const onPress = vi.fn();
  act(() => void toast.error('Recurso indisponível', undefined, { action: { label: 'Upgrade', onPress } }));
  const button = await screen.findByRole('button', { name: 'Upgrade' });
  act(() => button.click());
  expect(onPress).toHaveBeenCalledTimes(1);
  await waitFor(() => expect(screen.queryByText('Recurso indisponível')).toBeNull());
});

test('a toast that was closed before the region arrived never appears', async () => {
  const id = toast.info('Passou');
  toast.close(id);
  toast.info('Ficou');
  render(<ToastRegion />);
  expect(await screen.findByText('Ficou')).toBeTruthy();
  expect(screen.queryByText('Passou')).toBeNull();
});

describe('how long a toast stays', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test('4 seconds, and 10 where there is something to press', async () => {
    render(<ToastRegion />);
    vi.useFakeTimers();
    act(() => {
      toast.success('Pasta criada com sucesso');
      toast.success('Pasta excluída com sucesso', undefined, {
        action: { label: 'Desfazer', onPress: vi.fn() },
      });
    });
    await act(() => vi.advanceTimersByTimeAsync(3_800));
    expect(screen.getByText('Pasta criada com sucesso')).toBeTruthy();
    await act(() => vi.advanceTimersByTimeAsync(800));
    expect(screen.queryByText('Pasta criada com sucesso')).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(5_000));
    expect(screen.getByRole('button', { name: 'Desfazer' })).toBeTruthy();
    await act(() => vi.advanceTimersByTimeAsync(1_200));
    expect(screen.queryByText('Pasta excluída com sucesso')).toBeNull();
  });

  test('longer while the keyboard is there: F6 brings it, and its action waits', async () => {
    render(<ToastRegion />);
    vi.useFakeTimers();
    act(() => void toast.success('Excluída', undefined, { action: { label: 'Desfazer', onPress: vi.fn() } }));
    act(() => void fireEvent.keyDown(window, { key: 'F6' }));
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Avisos' }));
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(screen.getByRole('button', { name: 'Desfazer' })).toBeTruthy();
  });
});

test('a toast may take the place of an earlier one, and keeps nothing of it', async () => {
  render(<ToastRegion />);
  const onClose = vi.fn();
  let id = '';
  act(() => {
    id = toast.info('Excluindo pasta...', 'Aguarde', {
      action: { label: 'Desfazer', onPress: vi.fn() },
      onClose,
    });
  });
  await screen.findByText('Excluindo pasta...');
  act(() => void toast.error('Não foi possível excluir a pasta', undefined, { id }));
  expect(await screen.findByText('Não foi possível excluir a pasta')).toBeTruthy();
  for (const old of ['Excluindo pasta...', 'Aguarde', 'Desfazer']) expect(screen.queryByText(old)).toBeNull();
  act(() => toast.close(id));
  expect(onClose).not.toHaveBeenCalled();
});
