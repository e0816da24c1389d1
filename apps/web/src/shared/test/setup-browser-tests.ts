import { cleanup, configure } from '@testing-library/react';
import type { MockInstance } from 'vitest';
import { afterEach, beforeEach, expect, vi } from 'vitest';

// jsdom has no layout: the media queries of a wide screen, unless a test says otherwise.
function stubMatchMedia(): void {
  window.matchMedia = (query: string) =>
    ({
      matches: false,
      media: query,
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    }) as unknown as MediaQueryList;
}

// jsdom cannot scroll.
Element.prototype.scrollTo = () => undefined;
Element.prototype.scrollIntoView = () => undefined;
window.scrollTo = () => undefined;

// How long a query waits at most; what is there is found at once. Lazy screens are compiled while a test waits.
configure({ asyncUtilTimeout: 5_000 });

let consoleError: MockInstance;

beforeEach(() => {
  stubMatchMedia();
  consoleError = vi.spyOn(console, 'error').mockImplementation(() => undefined);
});

/** Takes console errors off the list of unexpected ones; at least one must match. */
export function expectConsoleError(pattern: RegExp): void {
  const expected = (call: readonly unknown[]) => call.some((value) => pattern.test(String(value)));
  const { calls } = consoleError.mock;
  expect(calls.some(expected), `a console.error like ${pattern}`).toBe(true);
  calls.splice(0, calls.length, ...calls.filter((call) => !expected(call)));
}

/** An error that nobody expected fails the test. */
afterEach(() => {
  cleanup();
  const unexpected = consoleError.mock.calls;
  localStorage.clear();
  sessionStorage.clear();
  vi.restoreAllMocks();
  expect(unexpected, 'unexpected console.error').toEqual([]);
});
