import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { makeOnce } from './make-once.ts';

const queryClient = new QueryClient();

afterEach(() => void vi.useRealTimers());

interface Shown {
  readonly name: string;
  readonly folder_id?: string;
}

interface Making {
  /** What is shown under the first id when it is tried again. */
  readonly shown?: Shown | undefined;
  readonly place?: string;
  readonly name?: string;
  readonly minutesBetween?: number;
}

/** Tries to make something where the answer is lost, then again. @returns both ids. */
async function makeTwice(making: Making = {}): Promise<readonly string[]> {
  const { shown, place = 'a', name = 'Geral', minutesBetween = 0 } = making;
  const sent: string[] = [];
  const wanted = { place, name, find: () => shown };
  const lost = makeOnce(queryClient, wanted, async (id) => {
    sent.push(id);
    throw new TypeError('Failed to fetch');
  });
  await expect(lost).rejects.toThrow('Failed to fetch');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutesBetween * 60_000 });
  await makeOnce(queryClient, wanted, async (id) => sent.push(id));
  return sent;
}

test.each<Making>([
  {},
  { shown: { name: 'Geral', folder_id: 'a' } },
  { shown: { name: 'Geral', folder_id: 'a' }, name: ' Geral\n' },
  { shown: { name: 'Geral' }, place: '' },
  { shown: { name: 'Geral', folder_id: 'a' }, minutesBetween: 60 },
  { minutesBetween: 4 },
])('what is tried again after a lost answer has the same id, shown or not: %j', async (making) => {
  const [first, second] = await makeTwice(making);
  expect(second).toBe(first);
});

test.each<[string, Making]>([
  ['has another name', { shown: { name: 'Outra', folder_id: 'a' } }],
  ['is somewhere else', { shown: { name: 'Geral', folder_id: 'b' } }],
  ['is gone', { minutesBetween: 6 }],
])('what %s by then is left, and another is made', async (_what, making) => {
  const [first, second] = await makeTwice(making);
  expect(second).not.toBe(first);
});

test('what was made is another the next time', async () => {
  const [, made] = await makeTwice();
  const [next] = await makeTwice();
  expect(next).not.toBe(made);
});
