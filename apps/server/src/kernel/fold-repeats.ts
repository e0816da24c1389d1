import { isDatabaseUnavailable } from './is-database-unavailable.ts';
import { MailError } from './mail-error.ts';

/** What a line says, as far as it tells one cause from another. */
export type LogLine = { readonly fields: unknown; readonly message: unknown; readonly level: number };

/** How many lines of the same cause were left out since the last one; undefined: leave this one out as well. */
export type FoldRepeats = (line: LogLine) => number | undefined;

const EVERY_MS = 60_000;
const KNOWN_CAUSES = 500;

type Cause = { readonly since: number; leftOut: number };

/**
 * Lets through one line a cause and minute: an outage meets every request and every job, and the thousandth line says no more than the
 * first. A database that is away is one cause, whoever notices. Lines without an error are no repeats, except those of the database's
 * supervisor, which tries to start it again and again.
 */
export function createFoldRepeats(now: () => number): FoldRepeats {
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
