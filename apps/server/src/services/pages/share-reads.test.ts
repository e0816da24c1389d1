import { expect, it } from 'vitest';
import { shareReads } from './create-pages-service.ts';

it('reads once at a time, and never answers with what was read before the question', async () => {
  const share = shareReads<number>();
  const begun: (() => void)[] = [];
  let state = 1;
  let reads = 0;
  const read = () => {
    reads += 1;
    const seen = state;
    return new Promise<number>((resolve) => begun.push(() => resolve(seen)));
  };
  const first = share('a', read);
  state = 2;
  const later = [share('a', read), share('a', read), share('a', read)];
  const other = share('b', read);
  expect(reads).toBe(2);
  begun[0]?.();
  expect(await first).toBe(1);
  await Promise.resolve();
  begun[1]?.();
  expect(await other).toBe(2);
  await expect.poll(() => begun.length).toBe(3);
  state = 3;
  const last = share('a', read);
  begun[2]?.();
  expect(await Promise.all(later)).toEqual([2, 2, 2]);
  await expect.poll(() => begun.length).toBe(4);
  begun[3]?.();
  expect(await last).toBe(3);
  expect(reads).toBe(4);
});

it('a failure is told to those who waited for it, and to nobody after', async () => {
  const share = shareReads<number>();
  const failing = share('a', () => Promise.reject(new Error('lost')));
  const next = share('a', async () => 5);
  await expect(failing).rejects.toThrow('lost');
  expect(await next).toBe(5);
  expect(await share('a', async () => 6)).toBe(6);
});
