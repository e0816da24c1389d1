import { act, render, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { toast } from './toast.ts';
import { ToastRegion } from './toast-region.tsx';

test('what was said before the region arrived appears with it', async () => {
  toast.success('Pasta criada com sucesso');
  render(<ToastRegion />);
  expect(await screen.findByText('Pasta criada com sucesso')).toBeTruthy();
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
