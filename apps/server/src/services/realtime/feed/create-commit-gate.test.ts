import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { RowChange } from './change-feed.ts';
import { createCommitGate, parseSnapshot, type Snapshot } from './create-commit-gate.ts';

/** A gate whose database answers when the test says so. */
function openGate() {
  const log: string[] = [];
  const asked: PromiseWithResolvers<Snapshot>[] = [];
  const gate = createCommitGate({
    listener: {
      change: ({ commitLsn }) => log.push(`change ${commitLsn}`),
      message: (prefix) => log.push(`message ${prefix}`),
      commit: (commitLsn) => log.push(`commit ${commitLsn}`),
      gap: (reason) => log.push(`gap ${reason}`),
    },
    readSnapshot() {
      const answer = Promise.withResolvers<Snapshot>();
      asked.push(answer);
      return answer.promise;
    },
  });
  const change = (at: number) => gate.change({ commitLsn: BigInt(at) } as RowChange);
  return {
    gate,
    log,
    asked,
    change,
    commit(xid: number) {
      gate.begin(xid);
      change(xid);
      gate.commit(BigInt(xid));
    },
    /** Answers the question that is open. */
    async answer(text: string) {
      asked.at(-1)?.resolve(parseSnapshot(text));
      await Promise.resolve();
      await Promise.resolve();
      await Promise.resolve();
    },
  };
}
const told = (...xids: readonly number[]) => xids.flatMap((xid) => [`change ${xid}`, `commit ${xid}`]);

/** However late a busy machine looks: nobody's patience ends meanwhile. */
function holdClock() {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
}

describe('a transaction', () => {
  it('is told once it can be read, and not before', async () => {
    holdClock();
    const { commit, log, answer, asked } = openGate();
    commit(10);
    expect(log).toEqual([]);
    await answer('10:10:');
    expect(log).toEqual([]);
    await expect.poll(() => asked.length).toBe(2);
    await answer('10:12:10');
    expect(log).toEqual([]);
    await expect.poll(() => asked.length).toBe(3);
    await answer('12:12:');
    expect(log).toEqual(told(10));
    commit(12);
    await answer('11:14:11,13');
    expect(log).toEqual(told(10, 12));
  });

  it('waits for those that were committed before it, and one answer is enough for many', async () => {
    holdClock();
    const { commit, log, answer, asked } = openGate();
    commit(22);
    await answer('20:20:');
    for (const xid of [20, 21, 23]) commit(xid);
    await expect.poll(() => asked.length).toBe(2);
    await answer('20:23:20');
    expect(log).toEqual(told(22));
    await expect.poll(() => asked.length).toBe(3);
    await answer('24:24:');
    expect(log).toEqual(told(22, 20, 21, 23));
    expect(asked).toHaveLength(3);
  });

  it('that began after the question waits for the next one', async () => {
    const { commit, log, answer, asked } = openGate();
    commit(30);
    commit(31);
    await answer('32:32:');
    expect(log).toEqual(told(30));
    expect(asked).toHaveLength(2);
    await answer('32:32:');
    expect(log).toEqual(told(30, 31));
  });

  it('that is still arriving when it can be read passes at once from then on', async () => {
    const { gate, change, log, answer } = openGate();
    gate.begin(40);
    change(1);
    await answer('41:41:');
    change(2);
    expect(log).toEqual(['change 1', 'change 2']);
    gate.commit(3n);
    expect(log.at(-1)).toBe('commit 3');
  });

  it('is told all the same when the database does not answer, or cannot see it for long', async () => {
    const { commit, log, answer, asked } = openGate();
    commit(50);
    asked[0]?.reject(new Error('down'));
    await expect.poll(() => log).toEqual(told(50));
    commit(51);
    const began = performance.now();
    for (let at = 2; log.length < 4; at += 1) {
      await expect.poll(() => asked.length + log.length).toBeGreaterThanOrEqual(at);
      await answer('51:51:');
    }
    expect(performance.now() - began).toBeGreaterThan(400);
    expect(log).toEqual(told(50, 51));
  });

  it('of very many rows is not kept while the database takes its time', () => {
    const { gate, change, log } = openGate();
    gate.begin(60);
    for (let at = 1; at <= 10_000; at += 1) change(at);
    expect(log).toEqual([]);
    change(10_001);
    expect(log).toHaveLength(10_001);
    change(10_002);
    expect(log.at(-1)).toBe('change 10002');
  });

  it('is read by its number, which goes round', async () => {
    const { commit, log, answer } = openGate();
    // As pgoutput's package reads them: 32 bits with a sign.
    commit(-2);
    await answer(`${2n ** 33n - 3n}:${2n ** 33n - 2n}:${2n ** 33n - 3n}`);
    expect(log).toEqual([]);
    const next = openGate();
    next.commit(-2);
    await next.answer(`${2n ** 33n + 5n}:${2n ** 33n + 5n}:`);
    expect(next.log).toEqual(told(-2));
    const busy = openGate();
    busy.commit(-2);
    await busy.answer(`${2n ** 33n - 2n}:${2n ** 33n + 5n}:${2n ** 33n - 2n}`);
    expect(busy.log).toEqual([]);
  });
});

it('messages outside transactions and gaps keep their turn', async () => {
  const { gate, commit, log, answer } = openGate();
  gate.message('first', Buffer.alloc(0));
  expect(log).toEqual(['message first']);
  commit(70);
  gate.message('loose', Buffer.alloc(0));
  gate.gap('lost');
  expect(log).toEqual(['message first']);
  await answer('71:71:');
  expect(log).toEqual(['message first', ...told(70), 'message loose', 'gap lost']);
});
