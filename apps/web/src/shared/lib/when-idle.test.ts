import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const idle = vi.fn((task: () => void) => {
  task();
  return 1;
});

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  vi.stubGlobal('requestIdleCallback', idle);
  vi.stubGlobal('cancelIdleCallback', vi.fn());
  idle.mockClear();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function arriveAfter(milliseconds: number) {
  vi.advanceTimersByTime(milliseconds);
  return (await import('./when-idle.ts')).whenIdle;
}

test('a page is not idle while it still waits for its first data: four times as long as its code took', async () => {
  const whenIdle = await arriveAfter(700);
  const task = vi.fn();
  whenIdle(task);
  vi.advanceTimersByTime(2_000);
  expect(task).not.toHaveBeenCalled();
  vi.advanceTimersByTime(101);
  expect(task).toHaveBeenCalledOnce();
});

test('once it stands, a task waits for the browser alone, and can be called off', async () => {
  const whenIdle = await arriveAfter(100);
  vi.advanceTimersByTime(5_000);
  const task = vi.fn();
  whenIdle(task)();
  vi.advanceTimersByTime(1);
  expect(idle).not.toHaveBeenCalled();
  whenIdle(task);
  vi.advanceTimersByTime(1);
  expect(task).toHaveBeenCalledOnce();
});
