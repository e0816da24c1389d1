import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openTabChannel, type TabMessage } from './tab-channel.ts';

type Posted = TabMessage & { readonly at: number };

let posted: Posted[];

beforeEach(() => {
  vi.useFakeTimers();
  posted = [];
  vi.stubGlobal(
    'BroadcastChannel',
    class {
      addEventListener() {}
      close() {}
      postMessage(message: TabMessage) {
        posted.push({ ...message, at: performance.now() });
      }
    },
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const write = (id: string, table = 'links'): TabMessage => ({ table, type: 'UPDATE', id, timestamp: 1 });
const mostInOneSecond = () =>
  Math.max(
    ...posted.map(({ at }) => posted.filter((other) => other.at >= at && other.at < at + 1_000).length),
  );

test('sends ten events in a second at most, and what came on top as soon as there is room', async () => {
  const channel = openTabChannel(() => undefined);
  for (let at = 0; at < 300; at += 1) {
    channel.send(write(`link-${at}`));
    if (at % 3 === 0) channel.send(write(`folder-${at}`, 'folders'));
    await vi.advanceTimersByTimeAsync(10);
  }
  await vi.advanceTimersByTimeAsync(5_000);
  expect(mostInOneSecond()).toBe(10);
  // What could not be told one by one is told of its table, and nothing of it is lost.
  for (const table of ['links', 'folders'])
    expect(posted.findLast((message) => message.table === table)).toMatchObject({ id: null });
  expect(posted.at(-1)?.at).toBeLessThan(5_000);
  channel.close();
});

test('ten at once go at once, one by one; of two that wait for the same row the newest goes', async () => {
  const channel = openTabChannel(() => undefined);
  for (let at = 0; at < 10; at += 1) channel.send(write(`link-${at}`));
  expect(posted.map(({ id }) => id)).toEqual(Array.from({ length: 10 }, (_, at) => `link-${at}`));
  channel.send(write('one'));
  channel.send({ ...write('one'), type: 'DELETE' });
  await vi.advanceTimersByTimeAsync(999);
  expect(posted).toHaveLength(10);
  await vi.advanceTimersByTimeAsync(2);
  expect(posted.slice(10)).toMatchObject([{ id: 'one', type: 'DELETE', operation: 'DELETE' }]);
  channel.close();
});

test('closed, it sends nothing any more', async () => {
  const channel = openTabChannel(() => undefined);
  for (let at = 0; at < 12; at += 1) channel.send(write(`link-${at}`));
  channel.close();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(posted).toHaveLength(10);
});
