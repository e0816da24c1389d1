import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../../../kernel/database.ts';
import type { ChangeFeed } from '../feed/change-feed.ts';
import { BYE, type ClusterBus, type ClusterListener, HELLO, prefixOf } from './cluster-bus.ts';
import { createOutbox, type Outbox } from './create-outbox.ts';
import { keepPeerSession, type PeerSession } from './keep-peer-session.ts';
import { createPeerListener } from './peer-listener.ts';
import { createPeerRegistry, listSeenPeers, type SeenPeer, sessionNameOf } from './peer-registry.ts';

export type ClusterBusDeps = {
  readonly db: Database;
  readonly feed: ChangeFeed;
  readonly logger: Pick<Logger, 'warn' | 'info' | 'error'>;
  readonly now: () => Date;
};

const GREET_AGAIN_MS = 5_000;
const GOODBYE_MS = 1_000;

/**
 * Copies talk through the database's log: what one emits, the change feeds of all others receive, in order, of any size, and no table
 * grows. Each copy holds one session open, by whose name the others see that it lives; a process that dies loses it at
 * once. While a copy is alone it emits nothing and does not listen.
 */
export function createClusterBus({ db, feed, logger, now }: ClusterBusDeps): ClusterBus {
  const copyId = randomUUID();
  const registry = createPeerRegistry(copyId, now);
  const listeners = createClusterListeners(logger);
  /** Unknown until the database was asked for the first time. */
  let isAlone: boolean | undefined;
  let stopped = false;
  let greetedAt = 0;

  const session = keepPeerSession({
    db,
    name: sessionNameOf(copyId),
    onReady() {
      registry.startGrace();
      outbox.flush();
      watch.look();
    },
    onNotification: () => watch.look(),
    logger,
  });
  const outbox: Outbox = createOutbox({
    send: (content) =>
      session.query({
        name: 'copies_emit',
        text: 'select pg_logical_emit_message(true, $1, $2)',
        values: [prefixOf(copyId), content],
      }),
    canSend: () => session.isOpen() && isAlone === false,
    onLoss() {
      logger.warn('messages to the other copies were thrown away: too many waited');
      for (const other of registry.list()) listeners.joined(other);
    },
  });
  const peerListener = createPeerListener({ copyId, registry, events: listeners, send: outbox.add, logger });
  const following = followFeed({ feed, logger, onMessage: peerListener.receive, onLive: greet });
  const watch = watchPeers(session, applySeen);

  function greet(): void {
    greetedAt = now().getTime();
    outbox.add(HELLO);
  }

  function applySeen(seen: readonly SeenPeer[]): boolean {
    const { left, unregistered } = registry.update(seen);
    for (const other of left) peerListener.forget(other);
    isAlone = unregistered.length === 0 && registry.list().length === 0;
    if (isAlone) {
      outbox.clear();
      following.stop();
      return false;
    }
    following.start();
    // A clock that was set back keeps nobody from greeting.
    const pauseMs = Math.abs(now().getTime() - greetedAt);
    if (unregistered.length > 0 && feed.isLive() && pauseMs >= GREET_AGAIN_MS) greet();
    outbox.flush();
    return true;
  }

  return {
    copyId,
    publish(message) {
      if (!stopped && isAlone !== true) outbox.add(message);
    },
    listen: listeners.add,
    async stop() {
      stopped = true;
      if (isAlone === false) {
        outbox.add(BYE);
        await outbox.drain(GOODBYE_MS);
      }
      watch.stop();
      following.stop();
      await session.stop();
    },
  };
}

type ClusterListeners = Required<ClusterListener> & {
  /** @returns the way to leave. */
  add(listener: ClusterListener): () => void;
};

/** All listeners as one. One that throws is logged and spoils nothing for the others. */
function createClusterListeners(logger: Pick<Logger, 'info' | 'error'>): ClusterListeners {
  const listeners = new Set<ClusterListener>();

  function notify(send: (listener: ClusterListener) => void): void {
    for (const listener of listeners) {
      try {
        send(listener);
      } catch (err) {
        logger.error({ err }, 'a listener to the other copies failed');
      }
    }
  }

  return {
    add(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    message: (from, message) => notify((listener) => listener.message?.(from, message)),
    joined(copyId) {
      logger.info({ copy: copyId }, 'another copy of the server is here');
      notify((listener) => listener.joined?.(copyId));
    },
    left(copyId) {
      logger.info({ copy: copyId }, 'another copy of the server has gone');
      notify((listener) => listener.left?.(copyId));
    },
  };
}

type PeerWatch = {
  /** Looks at once, and then again and again until the session is lost. */
  look(): void;
  stop(): void;
};

const EVERY_MS = 500;
/** Those who come announce themselves; this finds what was missed. */
const EVERY_ALONE_MS = 5_000;

/** @param onSeen is told of all copies whose sessions are open; @returns whether there are others. */
function watchPeers(
  session: Pick<PeerSession, 'query'>,
  onSeen: (seen: readonly SeenPeer[]) => boolean,
): PeerWatch {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let isLooking = false;
  let isAsked = false;

  async function look(): Promise<void> {
    // What is seen already may be older than what the asker knows.
    isAsked = true;
    if (isLooking || stopped) return;
    isLooking = true;
    isAsked = false;
    clearTimeout(timer);
    const seen = await listSeenPeers(session.query).catch(() => undefined);
    isLooking = false;
    // Without a session there is nothing to see: who opens the next one looks again.
    if (stopped || seen === undefined) return;
    const everyMs = onSeen(seen) ? EVERY_MS : EVERY_ALONE_MS;
    timer = setTimeout(look, isAsked ? 0 : everyMs).unref();
  }

  return {
    look: () => void look(),
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

type FollowedFeed = { start(): void; stop(): void };

type FollowedFeedOptions = {
  readonly feed: ChangeFeed;
  readonly logger: Pick<Logger, 'warn'>;
  readonly onMessage: (prefix: string, content: Buffer) => void;
  /** Everything emitted from now on is received; what was emitted before may be lost. */
  readonly onLive: () => void;
};

const PATIENCE_MS = 30_000;
const RETRY_MS = 1_000;

/** Listens to the feed between `start` and `stop`, and tells when it is live: the first time, and after every gap. */
function followFeed({ feed, logger, onMessage, onLive }: FollowedFeedOptions): FollowedFeed {
  let leave: (() => void) | undefined;
  let isWaiting = false;
  let hasComplained = false;

  async function waitUntilLive(): Promise<void> {
    if (isWaiting) return;
    isWaiting = true;
    while (leave !== undefined) {
      try {
        await feed.whenLive(PATIENCE_MS);
        hasComplained = false;
        break;
      } catch (err) {
        if (!hasComplained) logger.warn({ err }, 'the other copies of the server cannot be heard');
        hasComplained = true;
        await delay(RETRY_MS, undefined, { ref: false });
      }
    }
    isWaiting = false;
    if (leave !== undefined) onLive();
  }

  return {
    start() {
      if (leave !== undefined) return;
      leave = feed.listen({ message: onMessage, gap: () => void waitUntilLive() });
      void waitUntilLive();
    },
    stop() {
      leave?.();
      leave = undefined;
    },
  };
}
