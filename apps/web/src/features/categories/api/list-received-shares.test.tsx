import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FakeRequest } from '../../../shared/test/create-fake-database.ts';
import { renderWithProviders } from '../../../shared/test/render-with-providers.tsx';
import { useReceivedShares } from './list-received-shares.ts';

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
});

afterEach(() => {
  vi.useRealTimers();
});

function Shares() {
  const { data } = useReceivedShares();
  return <p>{data ? `${data.map(({ name }) => name).join(', ')}.` : 'carregando'}</p>;
}

const category = (id: string) => ({ id, name: id, description: null, name_users: null });

test('what others share is listed by the earliest share, and renewed every 10 seconds', async () => {
  let ids = ['segunda', 'primeira'];
  const requests: FakeRequest[] = [];
  await renderWithProviders(<Shares />, {
    respond: (request) => {
      requests.push(request);
      // The service gives rows of a list of ids in any order.
      if (request.path === 'categories') return { body: [...ids].reverse().map(category) };
      if (request.path === 'rpc/opened_share') return { body: null };
      return { body: ids.map((category_id) => ({ category_id, created_at: '2025-05-11T12:00:00Z' })) };
    },
  });
  expect(await screen.findByText('segunda, primeira.')).toBeTruthy();
  expect(requests[0]?.query.get('email')).toBe('eq.ana@exemplo.com');
  expect(requests[0]?.query.get('order')).toBe('created_at.asc,category_id.asc');
  ids = ['segunda'];
  await act(() => vi.advanceTimersByTimeAsync(5_000));
  expect(requests).toHaveLength(3);
  await act(() => vi.advanceTimersByTimeAsync(5_000));
  expect(await screen.findByText('segunda.')).toBeTruthy();
});

test('a thousand shares and one are all listed, and no address names more than a hundred of them', async () => {
  const ids = Array.from({ length: 1_001 }, (_, at) => `c${at}`);
  const named: number[] = [];
  await renderWithProviders(<Shares />, {
    respond: ({ path, query }) => {
      if (path === 'rpc/opened_share') return { body: null };
      if (path === 'categories') {
        const asked = query.get('id')?.slice('in.('.length, -1).split(',') ?? [];
        named.push(asked.length);
        return { body: asked.map(category) };
      }
      const from = Number(query.get('offset'));
      const rows = ids.map((category_id) => ({ category_id, created_at: '2025-05-11T12:00:00Z' }));
      return { body: rows.slice(from, from + Math.min(Number(query.get('limit') ?? 1_000), 1_000)) };
    },
  });
  expect(await screen.findByText(`${ids.join(', ')}.`)).toBeTruthy();
  expect(Math.max(...named)).toBe(100);
});
