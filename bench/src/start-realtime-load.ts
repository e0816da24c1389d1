import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type {
  ExpectedChange,
  LoadAnswer,
  LoadOrder,
  LoadPerson,
  LoadReport,
} from './realtime-load-messages.ts';

const SCRIPT = fileURLToPath(new URL('./realtime-load.ts', import.meta.url));
/** Whatever was committed has arrived by then, or never will. */
const PATIENCE_MS = 15_000;

/** The audience: a process that holds the sockets. Every call rejects with the process's own reason. */
export type RealtimeLoad = {
  connect(audience: {
    readonly url: string;
    readonly apikey: string;
    readonly people: readonly LoadPerson[];
    readonly socketsPerPerson: number;
  }): Promise<{ readonly sockets: number; readonly subscriptions: number }>;
  begin(): Promise<unknown>;
  report(expected: readonly ExpectedChange[]): Promise<LoadReport>;
  /** Ends all sockets; the process stays. */
  close(): Promise<unknown>;
  stop(): void;
};

export function startRealtimeLoad(): RealtimeLoad {
  const child = fork(SCRIPT);
  return {
    connect: (audience) => ask(child, { kind: 'connect', ...audience }, 'connected'),
    begin: () => ask(child, { kind: 'begin' }, 'begun'),
    report: async (expected) =>
      (await ask(child, { kind: 'report', expected, patienceMs: PATIENCE_MS }, 'report')).report,
    close: () => ask(child, { kind: 'close' }, 'closed'),
    stop: () => {
      if (child.connected) child.disconnect();
    },
  };
}

async function ask<Kind extends LoadAnswer['kind']>(
  child: ChildProcess,
  order: LoadOrder,
  kind: Kind,
): Promise<Extract<LoadAnswer, { kind: Kind }>> {
  const settled = new AbortController();
  const answered = once(child, 'message', settled) as Promise<[LoadAnswer]>;
  const ended = once(child, 'exit', settled).then(([code]) =>
    Promise.reject(new Error(`the sockets’ process ended with ${code}`)),
  );
  child.send(order);
  const [answer] = await Promise.race([answered, ended]);
  // The race is over: to have lost it is no error.
  ended.catch(() => undefined);
  settled.abort();
  if (answer.kind === kind) return answer as Extract<LoadAnswer, { kind: Kind }>;
  throw new Error(answer.kind === 'failed' ? answer.reason : `${answer.kind} instead of ${kind}`);
}
