import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { LogicalReplicationService, type Pgoutput } from 'pg-logical-replication';
import { formatWalPosition, parseWalPosition } from './change-feed.ts';
import { TemporarySlotPlugin } from './temporary-slot-plugin.ts';

export type FeedSessionOptions = {
  readonly connection: pg.ClientConfig;
  readonly publications: readonly string[];
  /** Everything that is committed from now on will be received. */
  readonly onLive: () => void;
  readonly onMessage: (message: Pgoutput.Message) => void;
  readonly silenceMs: number;
};

/** One connection to the log, from its opening to its end. */
export type FeedSession = {
  /** Resolves when it is over and nothing more will be received, with the reason unless it was a wish. Never rejects. */
  readonly ended: Promise<Error | undefined>;
  /** How far the log was read; 0 before the first sign. */
  position(): bigint;
  /** Whether anything was received since this was last asked. */
  wasActive(): boolean;
  /** Resolves when Postgres has let go of the slot. @param reason given when it is not a wish but a fault. */
  close(reason?: Error): Promise<void>;
};

const CONNECT_MS = 5_000;
/** The system asks a silent network this often, before anything is streamed. */
const KEEP_ALIVE_MS = 15_000;
/** An orderly end takes a round trip, unless a long transaction is being sent. */
const GOODBYE_MS = 1_000;

/** Opens a replication connection with a slot of its own, and reads from now on. */
export function openFeedSession(options: FeedSessionOptions): FeedSession {
  const ended = Promise.withResolvers<Error | undefined>();
  const streamEnded = Promise.withResolvers<void>();
  let closing: { readonly reason: Error | undefined } | undefined;
  let life: LifeWatch | undefined;
  let isOver = false;
  let isActive = false;

  const service = createService(options.connection);
  const confirmer = createConfirmer((position, ping) => {
    // The package confirms one byte more than it is told; Postgres, shutting down, waits for exactly what it has sent.
    if (position > 0n) service.acknowledge(formatWalPosition(position - 1n), ping).catch(() => undefined);
  });
  const end = (fault: Error | undefined) => {
    streamEnded.resolve();
    if (isOver) return;
    isOver = true;
    life?.stop();
    confirmer.stop();
    const timer = setTimeout(() => plugin.cutConnection(), GOODBYE_MS);
    const tell = () => {
      clearTimeout(timer);
      ended.resolve(closing ? closing.reason : fault);
    };
    service.stop().then(tell, tell);
  };
  const plugin = new TemporarySlotPlugin({
    publications: options.publications,
    isClosed: () => closing !== undefined,
    onUnreadable: end,
  });

  service.on('start', () => {
    if (isOver) return;
    const onSilence = () => end(new Error('Postgres has fallen silent'));
    life = watchForLife({ ping: confirmer.ping, onSilence, silenceMs: options.silenceMs });
    options.onLive();
  });
  listen(service, confirmer, (message) => {
    isActive = true;
    life?.received();
    if (!message || isOver) return;
    try {
      options.onMessage(message);
    } catch (error) {
      end(error instanceof Error ? error : new Error(String(error)));
    }
  });
  service.on('error', end);
  service
    .subscribe(plugin, `linkoteca_${randomBytes(8).toString('hex')}`)
    .then(() => end(new Error('Postgres ended the stream of changes')), end);

  return {
    ended: ended.promise,
    position: confirmer.confirmed,
    wasActive() {
      const was = isActive;
      isActive = false;
      return was;
    },
    async close(reason) {
      closing ??= { reason };
      if (life && !isOver) {
        plugin.endStream();
        const timer = setTimeout(streamEnded.resolve, GOODBYE_MS);
        await streamEnded.promise;
        clearTimeout(timer);
      }
      end(undefined);
      await ended.promise;
    },
  };
}

function createService(connection: pg.ClientConfig): LogicalReplicationService {
  return new LogicalReplicationService(
    {
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      ...connection,
      application_name: 'linkoteca change feed',
    },
    { acknowledge: { auto: false, timeoutSeconds: 0 } },
  );
}

/** Confirms what was received. @param received is told of every sign of life, with the message if it was one. */
function listen(
  service: LogicalReplicationService,
  confirmer: Confirmer,
  received: (message?: Pgoutput.Message) => void,
): void {
  let isInTransaction = false;
  service.on('heartbeat', (lsn, _time, shouldRespond) => {
    received();
    // Within a transaction the log is read up to its commit, but the transaction has not been received to its end.
    const position = isInTransaction ? confirmer.confirmed() : parseWalPosition(lsn);
    confirmer.reached(position, shouldRespond ? 'now' : 'soon');
  });
  service.on('data', (_lsn, message: Pgoutput.Message) => {
    if (message.tag === 'begin') isInTransaction = true;
    received(message);
    if (message.tag !== 'commit') return;
    isInTransaction = false;
    confirmer.reached(parseWalPosition(message.commitEndLsn ?? '0/0'), 'now');
  });
}

type LifeWatch = { received(): void; stop(): void };

/**
 * A network that loses a connection tells nobody. After a silence the other side is asked for a sign; only a second one in
 * a row counts, because after a pause of this machine the first look comes before what has arrived meanwhile is read.
 */
function watchForLife(options: {
  readonly ping: () => void;
  readonly onSilence: () => void;
  readonly silenceMs: number;
}): LifeWatch {
  let wasAlive = true;
  let wasPinged = false;
  const timer = setInterval(() => {
    if (wasAlive) {
      wasAlive = false;
      wasPinged = false;
    } else if (wasPinged) {
      clearInterval(timer);
      options.onSilence();
    } else {
      wasPinged = true;
      options.ping();
    }
  }, options.silenceMs);
  timer.unref();
  return {
    received() {
      wasAlive = true;
    },
    stop: () => clearInterval(timer),
  };
}

type Confirmer = {
  /** Everything before `position` has been received. */
  reached(position: bigint, urgency: 'now' | 'soon'): void;
  /** What Postgres was told last. */
  confirmed(): bigint;
  /** Asks for a sign of life, too. */
  ping(): void;
  stop(): void;
};

/** Between two commits nobody waits for a confirmation, but the log may go on growing for other tables. */
const SOON_MS = 50;

/**
 * Tells Postgres how far the log was read, so that it can let go of it. Commits that arrive together are confirmed
 * together, in the same turn of the event loop: a sender that waits for confirmation stalls for seconds.
 * @param send the position, and whether Postgres is to answer.
 */
function createConfirmer(send: (position: bigint, ping: boolean) => void): Confirmer {
  let reached = 0n;
  let confirmed = 0n;
  let timer: NodeJS.Timeout | undefined;
  let turn: NodeJS.Immediate | undefined;

  function flush(ping = false): void {
    clearTimeout(timer);
    timer = undefined;
    if (turn) clearImmediate(turn);
    turn = undefined;
    confirmed = reached;
    send(reached, ping);
  }

  return {
    reached(position, urgency) {
      if (position > reached) reached = position;
      if (urgency === 'now') turn ??= setImmediate(flush);
      else if (reached > confirmed) timer ??= setTimeout(flush, SOON_MS);
    },
    confirmed: () => confirmed,
    ping: () => flush(true),
    stop() {
      clearTimeout(timer);
      if (turn) clearImmediate(turn);
    },
  };
}
