import pino, { type DestinationStream, type Logger } from 'pino';
import { createFoldRepeats } from './fold-repeats.ts';
import { redactUrl } from './redact-url.ts';
import type { Settings } from './settings.ts';

/** Whatever object they turn up in, to the depth a log line has. */
const SECRET_KEYS = [
  'authorization',
  'apikey',
  'cookie',
  'set-cookie',
  'password',
  'current_password',
  'token',
  'access_token',
  'refresh_token',
  'token_hash',
  'code_verifier',
  'auth_code',
  'secret',
  'jwtSecret',
  'connectionString',
];

const WARN = 40;

/**
 * The server's own log: one JSON object a line on standard output. Secrets are taken out by key, addresses by
 * `redactUrl`, and of an error only what says nothing of the data it met. Of what repeats itself there is one line a minute;
 * the next one says how many were left out (`repeated`).
 * @param destination for tests.
 */
export function createLogger(level: Settings['logLevel'], destination?: DestinationStream): Logger {
  const foldRepeats = createFoldRepeats(() => performance.now());
  const options: pino.LoggerOptions = {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    hooks: {
      logMethod(args, method, levelNumber) {
        if (levelNumber < WARN) return method.apply(this, args);
        const [fields, message] = args as [unknown, unknown];
        const repeated = foldRepeats({ fields, message, level: levelNumber });
        if (repeated === undefined) return;
        if (repeated > 0) args[0] = { ...(fields as object), repeated };
        method.apply(this, args);
      },
    },
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: SECRET_KEYS.flatMap(atEveryDepth), censor: '[redacted]' },
    serializers: { err: describeError, error: describeError, cause: describeError, url: redactUrl },
  };
  return destination ? pino(options, destination) : pino(options);
}

function atEveryDepth(key: string): string[] {
  const quoted = `["${key}"]`;
  return [quoted, `*${quoted}`, `*.*${quoted}`];
}

const MAX_CAUSES = 4;

/**
 * Leaves out what Postgres adds (`detail`, `where`, `internalQuery`): it repeats the values of the row.
 */
function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return { message: typeof error === 'string' ? error : typeof error };
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  return {
    type: name,
    message,
    ...(code === undefined ? {} : { code }),
    stack,
    ...(cause === undefined || depth >= MAX_CAUSES ? {} : { cause: describeError(cause, depth + 1) }),
  };
}
