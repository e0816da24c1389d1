import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { makeOnce } from './make-once.ts';

const queryClient = new QueryClient();

/** Tries to make something where the answer is lost, then again. @returns both ids. */
async function makeTwice(nameByThen?: string, name = 'Geral'): Promise<readonly string[]> {
  const sent: string[] = [];
  const find = () => (nameByThen === undefined ? undefined : { name: nameByThen });
  const wanted = { place: 'a', name, find };
  const lost = makeOnce(queryClient, wanted, async (id) => {
    sent.push(id);
    throw new TypeError('Failed to fetch');
  });
  await expect(lost).rejects.toThrow('Failed to fetch');
  await makeOnce(queryClient, wanted, async (id) => sent.push(id));
  return sent;
}

test.each([[], ['Geral'], ['Geral', ' Geral\n']])(
  'what is tried again after a lost answer has the same id, shown or not: %s %j',
  async (...names) => {
    const [first, second] = await makeTwice(...names);
    expect(second).toBe(first);
  },
);

test('what has another name by then is left, and another is made', async () => {
  const [first, second] = await makeTwice('Outra');
  expect(second).not.toBe(first);
});

test('what was made is another the next time', async () => {
  const [, made] = await makeTwice();
  const [next] = await makeTwice();
  expect(next).not.toBe(made);
});
