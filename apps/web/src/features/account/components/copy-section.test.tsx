import { fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { renderWithProviders } from '../../../shared/test/render-with-providers.tsx';
import { CopySection } from './copy-section.tsx';

const saved: string[] = [];
beforeEach(() => {
  saved.length = 0;
  // The tokens for scripts: there are none.
  vi.stubGlobal('fetch', async () => Response.json([]));
  vi.stubGlobal(
    'URL',
    Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined }),
  );
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const start = () => fireEvent.click(screen.getByRole('button', { name: 'Baixar meus dados' }));

test('saves one file, named in Portuguese, and says so', async () => {
  await renderWithProviders(<CopySection />);
  start();
  await screen.findByText('Sua cópia está pronta');
  expect(saved).toEqual([expect.stringMatching(/^linkoteca-meus-dados-\d{4}-\d{2}-\d{2}\.json$/)]);
});

test('saves the copy where the browser refuses storage', async () => {
  await renderWithProviders(<CopySection />);
  vi.spyOn(globalThis, 'localStorage', 'get').mockImplementation(() => {
    throw new DOMException('denied', 'SecurityError');
  });
  start();
  await screen.findByText('Sua cópia está pronta');
  expect(saved).toHaveLength(1);
});

test('saves nothing when it is cancelled half-way, and can be started again', async () => {
  const held = Promise.withResolvers<void>();
  await renderWithProviders(<CopySection />, {
    respond: async ({ path }) => {
      if (path === 'links') await held.promise;
      return { body: [] };
    },
  });
  start();
  await screen.findByRole('progressbar', { name: 'Preparando sua cópia...' });
  fireEvent.click(screen.getByRole('button', { name: 'Cancelar' }));
  held.resolve();
  await screen.findByText('Download cancelado');
  expect(saved).toEqual([]);
  start();
  await screen.findByText('Sua cópia está pronta');
});

test('saves nothing when a part could not be read', async () => {
  await renderWithProviders(<CopySection />, {
    respond: ({ path }) =>
      path === 'links' ? { status: 500, body: { code: 'XX000', message: 'segredo' } } : { body: [] },
  });
  start();
  expect((await screen.findByRole('alert')).textContent).toBe('Não foi possível preparar sua cópia');
  expect(saved).toEqual([]);
});
