import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FakeRequest } from '../../../shared/test/create-fake-database.ts';
import { renderWithProviders } from '../../../shared/test/render-with-providers.tsx';
import { useReceivedShares } from './list-received-shares.ts';
import { useAccessPoll } from './use-access-poll.ts';

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
});

afterEach(() => {
  vi.useRealTimers();
});

function Shared({ categoryId }: { readonly categoryId: string | null }) {
  const { data } = useReceivedShares();
  useAccessPoll(categoryId);
  return <p>{data ? `${data.length} recebidas` : 'carregando'}</p>;
}

async function show(categoryId: string | null) {
  const state = { shared: true, requests: [] as FakeRequest[] };
  await renderWithProviders(<Shared categoryId={categoryId} />, {
    respond: (request) => {
      state.requests.push(request);
      const category = { id: 'a', name: 'Receitas', description: null, name_users: null };
      if (request.path === 'categories') return { body: [category] };
      return { body: state.shared ? [{ category_id: 'a', created_at: '2025-05-11T12:00:00Z' }] : [] };
    },
  });
  expect(await screen.findByText('1 recebidas')).toBeTruthy();
  const looks = () => state.requests.filter(({ query }) => query.get('category_id') === 'eq.a');
  return { state, looks };
}

test('access to an open category is looked at every 3 seconds; once revoked, what is shared is asked for at once', async () => {
  const { state, looks } = await show('a');
  expect(looks()).toHaveLength(1);
  expect(looks()[0]?.query.get('email')).toBe('eq.ana@exemplo.com');
  state.shared = false;
  await act(() => vi.advanceTimersByTimeAsync(3_100));
  expect(looks()).toHaveLength(2);
  expect(await screen.findByText('0 recebidas')).toBeTruthy();
});

test('nothing is looked at while the tab is hidden, nor without an open category of somebody else', async () => {
  const { looks } = await show('a');
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  window.dispatchEvent(new Event('visibilitychange'));
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(looks().length).toBeLessThanOrEqual(1);
});

test("one's own category needs no looking", async () => {
  const { looks } = await show(null);
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(looks()).toHaveLength(0);
});
