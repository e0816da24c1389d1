import { vi } from 'vitest';

/** Less than a test's own patience, so that what failed to come about is named. */
const PATIENCE_MS = 20_000;
const INTERVAL_MS = 20;

/**
 * Waits until the assertion holds. Something that must happen has as long as a busy machine needs; a test that is about how soon
 * measures that by itself.
 * @throws what the assertion threw last.
 */
export function eventually<T>(assertion: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(assertion, { timeout: PATIENCE_MS, interval: INTERVAL_MS });
}
