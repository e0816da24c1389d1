import 'fake-indexeddb/auto';
import { type QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  addCaptures,
  changeCaptures,
  listCaptures,
  removeCaptures,
} from '../../features/captures/api/outbox-store.ts';
import type { CaptureRefusal } from '../../features/captures/model/capture.ts';
import { createQueryClient } from '../../shared/lib/create-query-client.ts';
import { createFakeConnection } from '../../shared/test/create-fake-connection.ts';
import { createFakeDatabase, type FakeAnswer } from '../../shared/test/create-fake-database.ts';
import { beginSending } from './begin-sending.ts';

const ANA = 'ana';
const BUSY: FakeAnswer = { status: 503, body: { code: '', message: '' } };

let asked: string[];
/** What the service says of a link; null that it is saved. */
let answer: (id: string) => FakeAnswer | null;
let stop: () => void;
let queryClient: QueryClient;

beforeEach(() => {
  asked = [];
  queryClient = createQueryClient();
  answer = () => null;
  vi.useFakeTimers();
});
afterEach(async () => {
  stop();
  vi.useRealTimers();
  await removeCaptures(
    ANA,
    (await listCaptures(ANA)).map(({ place }) => place),
  );
});

const add = (...ids: string[]) =>
  addCaptures(
    ANA,
    ids.map((id) => ({
      id,
      url: `https://a.br/${id}`,
      title: id,
      description: null,
      categoryId: null,
      tags: [],
    })),
  );

function begin(): void {
  const database = createFakeDatabase(({ body }) => {
    const { id } = body as { readonly id: string };
    asked.push(id);
    return answer(id) ?? { body: 'entrada' };
  });
  stop = beginSending({
    queryClient,
    connection: createFakeConnection(),
    database,
    userId: ANA,
    readTitle: async () => null,
    saveTags: async () => 'done',
  });
}

/** Lets the store and the service answer, without any time going by. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 60; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

test('a service that is reached and does not answer is asked again after growing pauses, the last of five minutes', async () => {
  answer = () => BUSY;
  await add('a');
  begin();
  await settle();
  expect(asked).toHaveLength(1);
  for (const [at, pause] of [5_000, 15_000, 60_000, 300_000, 300_000].entries()) {
    await vi.advanceTimersByTimeAsync(pause - 1);
    await settle();
    expect(asked).toHaveLength(at + 1);
    await vi.advanceTimersByTimeAsync(1);
    await settle();
    expect(asked).toHaveLength(at + 2);
  }
  answer = () => null;
  await vi.advanceTimersByTimeAsync(300_000);
  await settle();
  expect(await listCaptures(ANA)).toEqual([]);
  const total = asked.length;
  await vi.advanceTimersByTimeAsync(3_600_000);
  await settle();
  expect(asked).toHaveLength(total);
});

test('at the start, what only waited for the person is sent, and what was refused for another reason is not', async () => {
  await add('ended', 'full');
  const refusals: readonly CaptureRefusal[] = [{ kind: 'signed_out' }, { kind: 'link_limit', max: 20 }];
  for (const [at, { place }] of (await listCaptures(ANA)).entries())
    await changeCaptures(ANA, [place], { refusal: refusals[at] ?? null });
  begin();
  await settle();
  expect(asked).toEqual(['ended']);
  expect((await listCaptures(ANA)).map(({ id }) => id)).toEqual(['full']);
});

test('who leaves sends nothing more: the link on its way is finished, those behind it wait', async () => {
  await add('a', 'b');
  answer = () => {
    stop();
    return null;
  };
  begin();
  await settle();
  expect(asked).toEqual(['a']);
  expect((await listCaptures(ANA)).map(({ id }) => id)).toEqual(['b']);
  await add('c');
  await settle();
  expect(asked).toEqual(['a']);
});

test('a list that is read for the first time while a link is sent is read once more: its answer may be from before', async () => {
  const before = Promise.withResolvers<string>();
  const read = vi.fn(async () => 'com o link').mockImplementationOnce(() => before.promise);
  const list = new QueryObserver(queryClient, { queryKey: ['links', 'entrada'], queryFn: read });
  const leave = list.subscribe(() => undefined);
  await add('a');
  begin();
  await settle();
  expect(await listCaptures(ANA)).toEqual([]);
  await vi.advanceTimersByTimeAsync(1_000);
  before.resolve('sem o link');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(list.getCurrentResult().data).toBe('com o link');
  expect(read).toHaveBeenCalledTimes(2);
  leave();
});
