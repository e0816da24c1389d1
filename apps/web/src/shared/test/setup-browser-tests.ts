import { promisify } from 'node:util';
import { onlineManager } from '@tanstack/react-query';
import { cleanup, configure, getConfig } from '@testing-library/react';
import type { MockInstance } from 'vitest';
import { afterAll, afterEach, beforeEach, expect, vi } from 'vitest';
import { connectAnnouncer } from '../lib/browser/announce.ts';
import { forgetUndos } from '../lib/writes/undo-history.ts';
import { connectToastQueue } from '../ui/feedback/toast.ts';
import { describeMissing } from './query-errors.ts';
import { rememberComputedStyles } from './remember-computed-styles.ts';

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

// What a test that is over still asks for gets no answer, which would be told in the next one; nor what a test asks that has no fake for it.
globalThis.fetch = () => new Promise(() => undefined);

// Vitest's `window` is not the document's own.
for (const one of [window, document.defaultView]) if (one !== null) rememberComputedStyles(one);

const { asyncWrapper } = getConfig();
const nextTurn = promisify(setImmediate);

configure({
  // What is drawn is found before its effects have run: on a busy machine a press came before the button's observer listened.
  asyncWrapper: async (find) => {
    const found = await asyncWrapper(find);
    await nextTurn();
    return found;
  },
  // How long a query waits at most; what is there is found at once. Lazy screens are compiled while a test waits.
  asyncUtilTimeout: 30_000,
  getElementError: describeMissing,
});

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
  // Before the globals that it may need: a file’s own `afterEach` runs earlier and must not take those away.
  cleanup();
  const unexpected = consoleError.mock.calls;
  forgetEverything();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  expect(unexpected, 'unexpected console.error').toEqual([]);
});

/** One document serves many files: what a browser, or this module or that, would remember goes with the test. */
function forgetEverything(): void {
  localStorage.clear();
  sessionStorage.clear();
  for (const cookie of document.cookie.split('; ').filter(Boolean)) {
    // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store API
    document.cookie = `${cookie.split('=')[0]}=; path=/; max-age=0`;
  }
  for (const { style } of [document.documentElement, document.body]) style.cssText = '';
  document.body.replaceChildren();
  document.title = '';
  // React leaves the style sheets that a component brought along.
  for (const style of document.head.querySelectorAll('style[data-precedence]')) style.remove();
  // A test may end without network, and leave behind who listens to a connection of its own.
  onlineManager.setEventListener(() => undefined);
  onlineManager.setOnline(true);
  forgetUndos();
  // Words that nobody was there to show would appear in the next test.
  connectToastQueue({ add: () => undefined, close: () => undefined })();
  connectAnnouncer(() => undefined)();
}

// Code that an idle moment or a pointer asked for may still be on its way. Cut off at the end of a file it would have failed for
// good, and with it every later file that needs it.
afterAll(() => vi.dynamicImportSettled());
