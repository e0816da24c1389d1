import { Console } from 'node:console';
import { Writable } from 'node:stream';
import { format } from 'node:util';
import { describeThrown } from './describe-thrown.ts';
import type { WorkerLogMessage } from './worker-messages.ts';

export type CaptureDeps = {
  readonly send: (message: WorkerLogMessage) => void;
  /** Of the call whose code is running. */
  readonly currentRequestId: () => string | undefined;
};

const LEVELS = {
  debug: 'debug',
  trace: 'debug',
  log: 'info',
  info: 'info',
  warn: 'warn',
  error: 'error',
} as const;
type Level = WorkerLogMessage['level'];

const MAX_CHARACTERS = 4_000;

/**
 * Turns everything that a function prints into messages for the server's log: `console.*` keeps its level, a plain object at
 * the end becomes fields, an error keeps its stack.
 */
export function captureConsole({ send, currentRequestId }: CaptureDeps): void {
  const write = (level: Level, values: readonly unknown[]) => {
    const requestId = currentRequestId();
    send({ kind: 'log', level, ...describeValues(values), ...(requestId ? { requestId } : {}) });
  };
  const limit = limitLines((dropped) =>
    write('warn', [`${dropped} lines were left out: too many in a second`]),
  );
  const print = (level: Level, values: readonly unknown[]) => {
    if (limit.allow()) write(level, values);
  };
  const out = toStream((line) => print('info', [line]));
  const err = toStream((line) => print('error', [line]));
  const captured = new Console({ stdout: out, stderr: err });
  for (const [method, level] of Object.entries(LEVELS))
    Object.defineProperty(captured, method, { value: (...values: unknown[]) => print(level, values) });
  Object.defineProperty(globalThis, 'console', { value: captured, configurable: true, writable: true });
  Object.defineProperty(process, 'stdout', { value: out });
  Object.defineProperty(process, 'stderr', { value: err });
}

function describeValues(
  values: readonly unknown[],
): Pick<WorkerLogMessage, 'message' | 'details' | 'failure'> {
  const thrown = values.find((value) => value instanceof Error);
  const failure = thrown === undefined ? {} : { failure: describeThrown(thrown) };
  const last = values.length > 1 ? toDetails(values.at(-1)) : undefined;
  const shown = last === undefined ? values : values.slice(0, -1);
  const texts = shown.map((value) => (value instanceof Error ? `${value.name}: ${value.message}` : value));
  const message = format(...texts).slice(0, MAX_CHARACTERS);
  return { message, ...failure, ...(last === undefined ? {} : { details: last }) };
}

/** A plain object that JSON can say within the limit. */
function toDetails(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return undefined;
  try {
    const text = JSON.stringify(value);
    return text.length > MAX_CHARACTERS ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toStream(print: (line: string) => void): Writable {
  return new Writable({
    decodeStrings: true,
    write(chunk: Buffer, _encoding, done) {
      const text = chunk.subarray(0, MAX_CHARACTERS).toString('utf8').trimEnd();
      if (text !== '') print(text);
      done();
    },
  });
}

type LineLimit = {
  /** Whether one more line may go out. */
  allow(): boolean;
};

const BURST = 400;
const LINES_A_SECOND = 100;
const REPORT_AFTER_MS = 1_000;

/**
 * Lets a flood of output pass as a trickle, so that it neither fills the log nor occupies the server.
 * @param report is told, at most once a second, how many lines were left out.
 */
function limitLines(report: (dropped: number) => void): LineLimit {
  let tokens = BURST;
  let refilledAt = performance.now();
  let dropped = 0;

  const tell = () => {
    report(dropped);
    dropped = 0;
  };
  return {
    allow() {
      const now = performance.now();
      tokens = Math.min(BURST, tokens + ((now - refilledAt) / 1000) * LINES_A_SECOND);
      refilledAt = now;
      if (tokens >= 1) {
        tokens -= 1;
        return true;
      }
      if (dropped === 0) setTimeout(tell, REPORT_AFTER_MS).unref();
      dropped += 1;
      return false;
    },
  };
}
