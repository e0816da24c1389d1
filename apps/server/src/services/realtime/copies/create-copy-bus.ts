import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Database } from '../../../kernel/database.ts';
import type { ChangeFeed } from '../feed/change-feed.ts';
import type { CopyBus } from './copy-bus.ts';
import { prefixOf } from './copy-envelope.ts';
import { BYE, HELLO } from './copy-greetings.ts';
import { createCopyEar } from './create-copy-ear.ts';
import { createCopyListeners } from './create-copy-listeners.ts';
import { createOutbox, type Outbox } from './create-outbox.ts';
import { createRoster } from './create-roster.ts';
import { followFeed } from './follow-feed.ts';
import { keepCopySession } from './keep-copy-session.ts';
import { type SeenCopy, sessionNameOf } from './list-seen-copies.ts';
import { watchCopies } from './watch-copies.ts';

export type CopyBusDeps = {
  readonly db: Database;
  readonly feed: ChangeFeed;
  readonly logger: Pick<Logger, 'warn' | 'info' | 'error'>;
  readonly now: () => Date;
};

const GREET_AGAIN_MS = 5_000;
const GOODBYE_MS = 1_000;

/**
 * Copies talk through the database's log: what one emits, the change feeds of all others hear, in order, of any size, and no table
 * grows. Each copy holds one session open, by whose name the others see that it lives; a process that dies loses it at
 * once. While a copy is alone it emits nothing and does not listen.
 */
export function createCopyBus({ db, feed, logger, now }: CopyBusDeps): CopyBus {
  const copyId = randomUUID();
  const roster = createRoster(copyId, now);
  const listeners = createCopyListeners(logger);
  /** Unknown until the database was asked for the first time. */
  let isAlone: boolean | undefined;
  let stopped = false;
  let greetedAt = 0;

  const session = keepCopySession({
    db,
    name: sessionNameOf(copyId),
    onOpen() {
      roster.forgive();
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
      for (const other of roster.list()) listeners.joined(other);
    },
  });
  const ear = createCopyEar({ copyId, roster, events: listeners, say: outbox.add, logger });
  const following = followFeed({ feed, logger, onMessage: ear.hear, onLive: greet });
  const watch = watchCopies(session, consider);

  function greet(): void {
    greetedAt = now().getTime();
    outbox.add(HELLO);
  }

  function consider(seen: readonly SeenCopy[]): boolean {
    const { left, strangers } = roster.look(seen);
    for (const other of left) ear.forget(other);
    isAlone = strangers.length === 0 && roster.list().length === 0;
    if (isAlone) {
      outbox.clear();
      following.stop();
      return false;
    }
    following.start();
    if (strangers.length > 0 && feed.isLive() && now().getTime() - greetedAt >= GREET_AGAIN_MS) greet();
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
