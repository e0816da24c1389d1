import { describe, expect, it } from 'vitest';
import { createGate } from './create-gate.ts';

/** A task that ends when it is told to. */
function createTask() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const task = { started: false, resolve, reject, run: () => promise };
  return {
    task,
    run: () => {
      task.started = true;
      return task.run();
    },
  };
}

const full = () => new Error('full');
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('a gate', () => {
  it('runs so many at once, the others in the order they came', async () => {
    const gate = createGate(2, 10, full);
    const tasks = Array.from({ length: 5 }, createTask);
    const done = tasks.map(({ run }) => gate(run));
    await turn();
    expect(tasks.map(({ task }) => task.started)).toEqual([true, true, false, false, false]);
    tasks[1]?.task.resolve('b');
    await turn();
    expect(tasks.map(({ task }) => task.started)).toEqual([true, true, true, false, false]);
    for (const { task } of tasks) task.resolve('x');
    expect(await Promise.all(done)).toEqual(['x', 'b', 'x', 'x', 'x']);
  });

  it('refuses what finds the queue full, and only that', async () => {
    const gate = createGate(1, 1, full);
    const tasks = [createTask(), createTask()];
    const done = tasks.map(({ run }) => gate(run));
    await expect(gate(async () => 'too many')).rejects.toThrow('full');
    for (const { task } of tasks) task.resolve('x');
    expect(await Promise.all(done)).toEqual(['x', 'x']);
    expect(await gate(async () => 'again')).toBe('again');
  });

  it('passes the place on when a task fails', async () => {
    const gate = createGate(1, 1, full);
    const first = gate(async () => {
      throw new Error('broken');
    });
    const second = gate(async () => 'next');
    await expect(first).rejects.toThrow('broken');
    expect(await second).toBe('next');
  });

  it('frees a place that nobody waits for, and only that', async () => {
    const gate = createGate(2, 10, full);
    const tasks = Array.from({ length: 8 }, createTask);
    const startedOf = () => tasks.flatMap(({ task }, at) => (task.started ? [at] : []));
    const begin = (from: number, to: number) => tasks.slice(from, to).map(({ run }) => gate(run));
    const early = begin(0, 4);
    tasks[0]?.task.resolve('x');
    await turn();
    // The place of the first is the third one's: who comes now finds none.
    const late = begin(4, 6);
    await turn();
    expect(startedOf()).toEqual([0, 1, 2]);
    for (const { task } of tasks.slice(1, 6)) task.resolve('x');
    await Promise.all([...early, ...late]);
    const last = [...begin(6, 8), gate(async () => 'third')];
    await turn();
    expect(startedOf()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(await Promise.race([last[2], turn()])).toBeUndefined();
    for (const { task } of tasks.slice(6)) task.resolve('x');
    expect(await Promise.all(last)).toEqual(['x', 'x', 'third']);
  });

  it('counts who waited and then gives up as one, like any other', async () => {
    const gate = createGate(1, 10, full);
    const [first, next, late] = [createTask(), createTask(), createTask()];
    const held = gate(first.run);
    const givenUp = gate(async () => {
      throw new Error('given up');
    });
    const taken = gate(next.run);
    first.task.resolve('x');
    await expect(givenUp).rejects.toThrow('given up');
    const waits = gate(late.run);
    await turn();
    expect([next.task.started, late.task.started]).toEqual([true, false]);
    next.task.resolve('y');
    late.task.resolve('z');
    expect(await Promise.all([held, taken, waits])).toEqual(['x', 'y', 'z']);
  });
});
