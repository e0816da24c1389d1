import { openStorage } from './browser/open-storage.ts';

/** From silence to everything. */
export const LOG_LEVELS = ['off', 'error', 'warn', 'info', 'debug', 'realtime'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Where the chosen level is kept; /test-realtime has a control for it. */
export const logLevelKey = 'linkoteca-log-level';

/** The level saved in this browser; 'error' unless a known one was chosen. */
export function readLogLevel(): LogLevel {
  const saved = openStorage().getItem(logLevelKey);
  return LOG_LEVELS.find((level) => level === saved) ?? 'error';
}

function write(level: Exclude<LogLevel, 'off'>, values: readonly unknown[]): void {
  if (LOG_LEVELS.indexOf(level) > LOG_LEVELS.indexOf(readLogLevel())) return;
  const method = level === 'realtime' ? 'debug' : level;
  // biome-ignore lint/suspicious/noConsole: the one place of the web app that writes to the console
  console[method]('[linkoteca]', ...values);
}

/** The web app's log: each call is silent unless the level saved in local storage asks for it. */
export const log = {
  error: (...values: readonly unknown[]) => write('error', values),
  warn: (...values: readonly unknown[]) => write('warn', values),
  debug: (...values: readonly unknown[]) => write('debug', values),
  realtime: (...values: readonly unknown[]) => write('realtime', values),
} as const;
