import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type AfterCover, createCoverQueue } from './cover-queue.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Questions that are answered by hand. */
function createQuestions() {
  const asked: string[] = [];
  const answers = new Map<string, PromiseWithResolvers<AfterCover>>();
  return {
    asked,
    ask: (id: string) => () => {
      asked.push(id);
      const answer = Promise.withResolvers<AfterCover>();
      answers.set(id, answer);
      return answer.promise;
    },
    answer: async (id: string, after: AfterCover = 'go_on') => {
      answers.get(id)?.resolve(after);
      await vi.advanceTimersByTimeAsync(0);
    },
    fail: async (id: string) => {
      answers.get(id)?.reject(new Error('x'));
      await vi.advanceTimersByTimeAsync(0);
    },
  };
}

test('asks a few at a time, in the order they came', async () => {
  const queue = createCoverQueue(2);
  const { ask, asked, answer } = createQuestions();
  for (const id of ['a', 'b', 'c', 'd']) queue.add(id, ask(id));
  expect(asked).toEqual(['a', 'b']);
  expect([queue.isRunning('a'), queue.isRunning('c')]).toEqual([true, false]);
  await answer('b');
  expect(asked).toEqual(['a', 'b', 'c']);
  await answer('a');
  expect(asked).toEqual(['a', 'b', 'c', 'd']);
});

test('does not ask for what has left before its turn, and asks once for what is asked for', async () => {
  const queue = createCoverQueue(1);
  const { ask, asked, answer } = createQuestions();
  const cancelA = queue.add('a', ask('a'));
  queue.add('b', ask('b'))();
  queue.add('c', ask('c'));
  // Too late for this one.
  cancelA();
  queue.add('a', ask('a'));
  await answer('a');
  await answer('c');
  expect(asked).toEqual(['a', 'c']);
});

test('waits where there were too many, and goes on', async () => {
  const queue = createCoverQueue(1);
  const { ask, asked, answer } = createQuestions();
  queue.add('a', ask('a'));
  queue.add('b', ask('b'));
  await answer('a', { waitMs: 5_000 });
  queue.add('c', ask('c'));
  await vi.advanceTimersByTimeAsync(4_999);
  expect(asked).toEqual(['a']);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toEqual(['a', 'b']);
  // The one that was too much has its turn again.
  await answer('b');
  await answer('a');
  expect(asked).toEqual(['a', 'b', 'a', 'c']);
});

test('asks no more after a stop, until it is resumed', async () => {
  const queue = createCoverQueue(1);
  const { ask, asked, answer } = createQuestions();
  queue.add('a', ask('a'));
  queue.add('b', ask('b'));
  await answer('a', 'stop');
  queue.add('c', ask('c'));
  expect(asked).toEqual(['a']);
  queue.resume();
  expect(asked).toEqual(['a', 'b']);
});

test('lets rest what failed until it is resumed, and goes on with the others', async () => {
  const queue = createCoverQueue(1);
  const { ask, asked, fail, answer } = createQuestions();
  queue.add('a', ask('a'));
  queue.add('b', ask('b'));
  const gone = queue.add('c', ask('c'));
  await fail('a');
  queue.add('a', ask('a'));
  await answer('b');
  gone();
  await fail('c');
  expect(asked).toEqual(['a', 'b', 'c']);
  queue.resume();
  expect(asked).toEqual(['a', 'b', 'c', 'a']);
  await answer('a');
  // What failed and has left sight since is not asked for again.
  expect(asked).toHaveLength(4);
});

test('tells who looks when one begins and ends, also one that was asked for by hand', async () => {
  const queue = createCoverQueue(1);
  const seen: boolean[] = [];
  const stop = queue.subscribe(() => seen.push(queue.isRunning('a')));
  await queue.show('a', Promise.resolve());
  expect(seen).toEqual([true, false]);
  await expect(queue.show('a', Promise.reject(new Error('x')))).rejects.toThrow('x');
  expect(queue.isRunning('a')).toBe(false);
  stop();
  await queue.show('a', Promise.resolve());
  expect(seen).toHaveLength(4);
});
