import pino, { type DestinationStream, type Logger } from 'pino';
import { isDatabaseUnavailable } from './log-failure.ts';
import { MailError } from './mail.ts';
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

/** Query parameters that open something, or say who somebody is. */
const SECRET_PARAMETERS =
  /^(apikey|token|token_hash|access_token|refresh_token|provider_token|code|auth_code|code_verifier|password|email|nonce|state|secret|signature)$/i;
/** Values of table filters are people's own words and addresses: the operator stays, the value goes. */
const FILTER_VALUE = /^((?:not\.)?[a-z]+(?:\([^)]*\))?\.).+$/s;
/** These say how to present, and hold no person's data. */
const PLAIN_PARAMETERS =
  /^(select|order|limit|offset|columns|on_conflict|type|grant_type|page|per_page|vsn|scope)$/;

/** Whoever has the address of a checkout, a portal, a receipt or a feed may use it. */
const SECRET_PATH = /^(\/(?:payment-emulator\/(?:checkout|portal|invoices)|feed)\/)[^/?]+/;

/** A request's path and query as a log may keep them. Never throws, whatever was sent. */
export function redactUrl(address: string): string {
  const url = address.replace(SECRET_PATH, '$1[redacted]');
  const start = url.indexOf('?');
  if (start === -1) return url;
  const parts = url
    .slice(start + 1)
    .split('&')
    .map((part) => redactParameter(part));
  return `${url.slice(0, start)}?${parts.join('&')}`;
}

function redactParameter(part: string): string {
  const equals = part.indexOf('=');
  if (equals === -1) return part;
  const [name, value] = [part.slice(0, equals), part.slice(equals + 1)];
  if (SECRET_PARAMETERS.test(name)) return `${name}=[redacted]`;
  if (PLAIN_PARAMETERS.test(name)) return part;
  const operator = FILTER_VALUE.exec(value)?.[1];
  return `${name}=${operator ?? ''}[redacted]`;
}

/** What a line says, as far as it tells one cause from another. */
type LogLine = { readonly fields: unknown; readonly message: unknown; readonly level: number };

/** How many lines of the same cause were left out since the last one; undefined: leave this one out as well. */
type FoldRepeats = (line: LogLine) => number | undefined;

const EVERY_MS = 60_000;
const KNOWN_CAUSES = 500;

type Cause = { readonly since: number; leftOut: number };

/**
 * Lets through one line a cause and minute: an outage meets every request and every job, and the thousandth line says no more than the
 * first. A database that is away is one cause, whoever notices. Lines without an error are no repeats, except those of the database's
 * supervisor, which tries to start it again and again.
 */
function createFoldRepeats(now: () => number): FoldRepeats {
  const causes = new Map<string, Cause>();
  return (line) => {
    const cause = findCause(line);
    if (cause === undefined) return 0;
    const at = now();
    const known = causes.get(cause);
    if (known && at - known.since < EVERY_MS) {
      known.leftOut += 1;
      return undefined;
    }
    causes.delete(cause);
    causes.set(cause, { since: at, leftOut: 0 });
    if (causes.size > KNOWN_CAUSES) causes.delete(causes.keys().next().value ?? '');
    return known?.leftOut ?? 0;
  };
}

function findCause({ fields, message, level }: LogLine): string | undefined {
  const { err, source, mail, delivery } = (typeof fields === 'object' && fields ? fields : {}) as Fields;
  if (source === 'postgres') return `${level} ${generalise(String(message))}`;
  if (!(err instanceof Error)) return undefined;
  // What became of one mail is told nowhere else.
  if (mail !== undefined && delivery !== 'unreachable') return undefined;
  if (isDatabaseAway(err)) return `${level} database`;
  const { code = '' } = err as { readonly code?: unknown };
  return `${level} ${String(message)} ${err.name} ${String(code)} ${generalise(err.message)}`;
}

type Fields = Readonly<Partial<Record<'err' | 'source' | 'mail' | 'delivery', unknown>>>;

/** Without what differs from one person or row to the next. */
function generalise(text: string): string {
  return text.replaceAll(/"[^"]*"|'[^']*'|[\da-f-]{8,}|\d+/g, '');
}

/** The same codes come from mail servers and object storage, whose errors are wrapped in one of their own. */
function isDatabaseAway(error: Error): boolean {
  if (error instanceof MailError || error instanceof TypeError) return false;
  // Out of connections, of slots, of room: it is there, and each of these wants something else done.
  if (String((error as { readonly code?: unknown }).code).startsWith('53')) return false;
  return isDatabaseUnavailable(error) || (error.cause instanceof Error && isDatabaseAway(error.cause));
}
