import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createOutbox, type Outbox } from './create-outbox.ts';

type Batch = { readonly number: number; readonly messages: { readonly kind: string; readonly n?: number }[] };

let sent: Batch[];
let isOpen: boolean;
let answer: () => Promise<unknown>;
let losses: number;
let outbox: Outbox;
beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  isOpen = true;
  losses = 0;
  answer = async () => undefined;
  outbox = createOutbox({
    send: (content) => {
      sent.push(JSON.parse(content) as Batch);
      return answer();
    },
    canSend: () => isOpen,
    onLoss: () => {
      losses += 1;
    },
  });
});
afterEach(() => void vi.useRealTimers());

const add = (n: number) => outbox.add({ kind: 't', n });
const numbers = () => sent.map(({ number, messages }) => [number, messages.map(({ n }) => n)]);
const wait = () => vi.advanceTimersByTimeAsync(10);

describe('the outbox', () => {
  it('sends neighbours together, in order, one batch at a time', async () => {
    let finish: (() => void) | undefined;
    answer = () => new Promise<void>((resolve) => (finish = resolve));
    add(1);
    add(2);
    await wait();
    add(3);
    add(4);
    await wait();
    expect(numbers()).toEqual([[1, [1, 2]]]);
    answer = async () => undefined;
    finish?.();
    await wait();
    add(5);
    await wait();
    expect(numbers()).toEqual([
      [1, [1, 2]],
      [2, [3, 4]],
      [3, [5]],
    ]);
  });

  it('keeps what cannot be sent, and sends a batch of unknown fate again under its number', async () => {
    answer = () => Promise.reject(new Error('cut'));
    add(1);
    await wait();
    isOpen = false;
    add(2);
    await wait();
    expect(numbers()).toEqual([[1, [1]]]);
    isOpen = true;
    answer = async () => undefined;
    outbox.flush();
    await wait();
    expect(numbers().slice(1)).toEqual([
      [1, [1]],
      [2, [2]],
    ]);
  });

  it('divides much into several batches', async () => {
    for (let n = 0; n < 4; n += 1) outbox.add({ kind: 't', text: 'x'.repeat(300_000) });
    await wait();
    expect(sent.map(({ messages }) => messages.length)).toEqual([2, 2]);
  });

  it('throws away what has piled up beyond reason, and tells so when it can send again', async () => {
    isOpen = false;
    for (let n = 0; n < 20; n += 1) outbox.add({ kind: 't', n, text: 'x'.repeat(1_000_000) });
    await wait();
    isOpen = true;
    outbox.flush();
    await wait();
    expect(losses).toBe(1);
    const arrived = sent.flatMap(({ messages }) => messages.map(({ n }) => n));
    expect(arrived.length).toBeLessThan(20);
    expect(arrived.at(-1)).toBe(19);
    add(20);
    await wait();
    expect(losses).toBe(1);
  });

  it('waits for the last words, but not for ever', async () => {
    answer = () => new Promise(() => undefined);
    add(1);
    const drained = outbox.drain(1_000);
    await vi.advanceTimersByTimeAsync(1_000);
    await drained;
    expect(sent.length).toBe(1);
  });
});
