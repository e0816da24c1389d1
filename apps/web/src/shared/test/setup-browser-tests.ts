import { cleanup } from '@testing-library/react';
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

let consoleError: MockInstance;

beforeEach(() => {
  stubMatchMedia();
  consoleError = vi.spyOn(console, 'error');
});

/** An error that nobody expected fails the test; an expected one is silenced by `expectConsoleError`. */
afterEach(() => {
  cleanup();
  const unexpected = consoleError.mock.calls;
  localStorage.clear();
  sessionStorage.clear();
  vi.restoreAllMocks();
  expect(unexpected, 'unexpected console.error').toEqual([]);
});
