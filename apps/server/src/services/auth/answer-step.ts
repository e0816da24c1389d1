import { setTimeout as wait } from 'node:timers/promises';

/**
 * Waits until a multiple of `stepMs` after `start`: how long something took must not tell what there was to do. 0 does not wait.
 * @param start of `performance.now()`
 */
export async function waitForStep(start: number, stepMs: number): Promise<void> {
  const elapsed = performance.now() - start;
  if (stepMs > 0) await wait(Math.ceil(elapsed / stepMs) * stepMs - elapsed);
}
