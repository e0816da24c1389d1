import type { MockInstance } from 'vitest';
import { beforeEach, expect, test, vi } from 'vitest';
import { expectConsoleError } from '../test/setup-browser-tests.ts';
import { log, logLevelKey, readLogLevel } from './log.ts';

let warned: MockInstance;
let detailed: MockInstance;

beforeEach(() => {
  warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  detailed = vi.spyOn(console, 'debug').mockImplementation(() => undefined);
});

test('errors only, unless told otherwise', () => {
  log.error('broken');
  log.warn('odd');
  expectConsoleError(/broken/);
  expect(warned).not.toHaveBeenCalled();
});

test.each([
  ['off', 0, 0],
  ['warn', 1, 0],
  ['debug', 1, 1],
  ['realtime', 1, 2],
])('level %s', (level, warnings, details) => {
  localStorage.setItem(logLevelKey, level);
  log.warn('odd');
  log.debug('detail');
  log.realtime('event');
  expect(warned).toHaveBeenCalledTimes(warnings);
  expect(detailed).toHaveBeenCalledTimes(details);
});

test('an unknown saved level counts as error', () => {
  localStorage.setItem(logLevelKey, 'loud');
  expect(readLogLevel()).toBe('error');
});
