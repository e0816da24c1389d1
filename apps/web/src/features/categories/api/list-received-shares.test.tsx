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
