import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { recallOwnerName } from './owner-names.ts';

afterEach(() => vi.useRealTimers());

test('a name that was read stands in for 24 hours where a row has none, in its category alone', () => {
  vi.useFakeTimers({ now: 0 });
  const client = new QueryClient();
  expect(recallOwnerName(client, 'receitas', null)).toBeNull();
  expect(recallOwnerName(client, 'receitas', 'Dona Clara')).toBe('Dona Clara');
  vi.advanceTimersByTime(23 * 3_600_000);
  expect(recallOwnerName(client, 'receitas', ' ')).toBe('Dona Clara');
  expect(recallOwnerName(client, 'bordados', null)).toBeNull();
  vi.advanceTimersByTime(2 * 3_600_000);
  expect(recallOwnerName(client, 'receitas', null)).toBeNull();
});
