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
});
