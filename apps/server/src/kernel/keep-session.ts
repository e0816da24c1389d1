import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Database, Row, Rows, Statement } from './database.ts';

/** A connection on its way, open or over, as `keepSession` keeps one. */
export type KeepableSession = {
  /** Resolves when it is over, with the reason unless it was a wish. Never rejects. */
  readonly ended: Promise<Error | undefined>;
  /** Ends it, open or not; resolves when it has let go. @param reason given when it is not a wish but a fault. */
  close(reason?: Error): Promise<void>;
};

export type SessionLoss = {
  readonly error: Error;
  /** Whether it had been ready: something may have been missed since. */
  readonly wasReady: boolean;
  /** How many sessions in a row have failed since one was ready, this one included. */
  readonly failures: number;
  /** When the next one is tried. */
  readonly delayMs: number;
};

export type KeepSessionOptions<S extends KeepableSession> = {
  /** Begins to open a session. @param onReady to be called, later than this returns, once it can be used. */
  readonly open: (onReady: () => void) => S;
  /** Told each time a session is ready. */
  readonly onReady?: () => void;
  /** Told each time a session could not be opened or is lost; not after `stop`. */
  readonly onLost?: (loss: SessionLoss) => void;
  /** The delay before a new attempt begins here, doubles with each, and is never longer than `maxDelayMs`. */
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
  /** How long a session must have been ready before the delay begins anew; 0 by default. */
  readonly steadyMs?: number;
  /** For a failure that passes at its own pace. @returns undefined for all others. */
  readonly fixedDelayMs?: (error: Error) => number | undefined;
};

export type KeptSession<S extends KeepableSession> = {
  /** The session while it is ready. */
  current(): S | undefined;
  /** Ends it for good, in whatever state it is. */
  stop(): Promise<void>;
};

/** Holds one session open until it is stopped: a lost one is opened again, with growing delays while that fails. */
export function keepSession<S extends KeepableSession>(options: KeepSessionOptions<S>): KeptSession<S> {
  const { firstDelayMs, maxDelayMs, steadyMs = 0 } = options;
  let session: S | undefined;
  let isReady = false;
  let isStopped = false;
  let failures = 0;
  let delayMs = firstDelayMs;
  let wake: () => void = () => undefined;

  function resetDelay(): void {
    delayMs = firstDelayMs;
  }

  function takeDelay(error: Error): number {
    const fixedMs = options.fixedDelayMs?.(error);
    if (fixedMs !== undefined) return fixedMs;
    // Copies that lost the same database do not all come back in the same moment.
    const jitteredMs = delayMs * (0.5 + Math.random() / 2);
    delayMs = Math.min(delayMs * 2, maxDelayMs);
    return jitteredMs;
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms).unref();
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async function run(): Promise<void> {
    while (!isStopped) {
      let steady: NodeJS.Timeout | undefined;
      session = options.open(() => {
        if (isStopped) return;
        isReady = true;
        failures = 0;
        if (steadyMs === 0) resetDelay();
        else steady = setTimeout(resetDelay, steadyMs).unref();
        options.onReady?.();
      });
      const error = (await session.ended) ?? new Error('the session was closed');
      clearTimeout(steady);
      const wasReady = isReady;
      isReady = false;
      session = undefined;
      if (isStopped) return;
      failures += 1;
      const waitMs = takeDelay(error);
      options.onLost?.({ error, wasReady, failures, delayMs: waitMs });
      await pause(waitMs);
    }
  }

  const running = run();
  return {
    current: () => (isReady ? session : undefined),
    async stop() {
      isStopped = true;
      isReady = false;
      wake();
      await session?.close();
      await running;
    },
  };
}

/** A connection of the server's own, outside the pool. */
export type Session = KeepableSession & {
  query<T extends Row = Row>(statement: Statement): Promise<Rows<T>>;
};

export type SessionOptions = {
  /** Its `application_name`, by which other sessions see it in `pg_stat_activity`. */
  readonly name: string;
  /** SQL that makes it ready, such as `listen`. */
  readonly setUp: string;
  readonly onReady: () => void;
  /** Told of what is notified on channels the session listens to, once it is ready: what came before, `onReady` stands for. */
  readonly onNotification?: (payload: string | undefined, channel: string) => void;
  /** How often it is asked for a sign of life. */
  readonly lifeMs?: number;
  /** How long any answer may take. */
  readonly answerMs?: number;
};

/** Who only listens asks nothing, and nobody tells that the other side is gone. */
const LIFE_MS = 30_000;
/** An answer that has not come by then will not come: the network is gone, though nobody has said so. */
const ANSWER_MS = 10_000;
const CONNECT_MS = 5_000;
const GOODBYE_MS = 1_000;

/**
 * Opens a connection as the login role: it has no right to any row, and lasts until it is closed or lost. For what hangs on a
 * session: notifications, being seen by others.
 */
export function openSession(db: Database, options: SessionOptions): Session {
  const client = createClient(db, options.name, options.answerMs ?? ANSWER_MS);
  const ended = Promise.withResolvers<Error | undefined>();
  let isReady = false;
  let isOver = false;
  let life: NodeJS.Timeout | undefined;

  function end(error: Error | undefined): void {
    if (isOver) return;
    isOver = true;
    clearInterval(life);
    ended.resolve(error);
  }

  async function giveUp(error: unknown): Promise<void> {
    end(error instanceof Error ? error : new Error(String(error)));
    await disconnect(client);
  }

  async function setUp(): Promise<void> {
    try {
      await client.connect();
      await client.query(options.setUp);
      if (isOver) return;
      isReady = true;
      life = setInterval(
        () => void client.query('select 1').catch(giveUp),
        options.lifeMs ?? LIFE_MS,
      ).unref();
      options.onReady();
    } catch (error) {
      await giveUp(error);
    }
  }

  client.on('error', end);
  client.on('end', () => end(new Error('Postgres ended the session')));
  client.on('notification', ({ payload, channel }) => {
    if (isReady) options.onNotification?.(payload, channel);
  });
  const opening = setUp();

  return {
    ended: ended.promise,
    query: async <T extends Row>({ text, values = [], name }: Statement) => {
      const query = { text, values: [...values], ...(name === undefined ? {} : { name }) };
      const { rows, rowCount } = await client.query<T>(query);
      return { rows, rowCount: rowCount ?? 0 };
    },
    async close(reason) {
      end(reason);
      // One that is still on its way would outlive what it was opened for.
      await opening;
      await disconnect(client);
    },
  };
}

function createClient(db: Database, name: string, answerMs: number): pg.Client {
  const { options } = db.pool;
  return new pg.Client({
    ...options,
    // The pool hides it from copies of its options.
    ...(options.password === undefined ? {} : { password: options.password }),
    application_name: name,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: answerMs,
    keepAlive: true,
  });
}

/** A network that is gone answers no good-bye. */
async function disconnect(client: pg.Client): Promise<void> {
  const patience = sleep(GOODBYE_MS, undefined, { ref: false });
  await Promise.race([client.end().catch(() => undefined), patience]);
}
