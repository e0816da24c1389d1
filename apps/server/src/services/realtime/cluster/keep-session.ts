import type { Logger } from 'pino';
import type { Database, Row, Rows, Statement } from '../../../kernel/database.ts';
import { openSession, type Session } from '../../../kernel/open-session.ts';

/** The one session by which a copy is seen and speaks: as long as it is open, the copy lives. */
export type CopySession = {
  isOpen(): boolean;
  /** @throws when no session is open, or the driver's error. */
  query<T extends Row = Row>(statement: Statement): Promise<Rows<T>>;
  stop(): Promise<void>;
};

export type CopySessionOptions = {
  readonly db: Database;
  readonly name: string;
  /** Called each time it is open and ready to be asked. */
  readonly onOpen: () => void;
  /** Another copy has come. */
  readonly onNotification: () => void;
  readonly logger: Pick<Logger, 'warn'>;
};

const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 2_000;

const ARRIVALS = 'linkoteca_copies';

/**
 * Postgres ends the session of a machine that has vanished after ten seconds instead of two hours. A batch must be on the log's
 * disk before others can read it, but on no replica's. Then the others are told that somebody has come.
 */
const OPENING = `set tcp_keepalives_idle = 4; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3;
  set synchronous_commit = local; listen ${ARRIVALS}; notify ${ARRIVALS}`;

export function keepCopySession(options: CopySessionOptions): CopySession {
  const { db, name, onOpen, onNotification, logger } = options;
  let session: Session | undefined;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let delay = FIRST_DELAY_MS;
  let hasComplained = false;

  function comeBack(err: unknown): void {
    session = undefined;
    if (stopped || timer !== undefined) return;
    if (!hasComplained) logger.warn({ err }, 'the session by which other copies see this one is lost');
    hasComplained = true;
    timer = setTimeout(() => {
      timer = undefined;
      opening = open();
    }, delay);
    timer.unref();
    delay = Math.min(delay * 2, MAX_DELAY_MS);
  }

  async function open(): Promise<void> {
    let opened: Session | undefined;
    try {
      opened = await openSession(db, { name, onLost: comeBack, onNotification });
      await opened.query({ text: OPENING });
      if (stopped) return await opened.close();
      // Lost meanwhile: the next one is under way.
      if (timer !== undefined) return;
      session = opened;
      delay = FIRST_DELAY_MS;
      hasComplained = false;
      onOpen();
    } catch (error) {
      await opened?.close();
      comeBack(error);
    }
  }

  let opening = open();
  return {
    isOpen: () => session !== undefined,
    async query(statement) {
      const asked = session;
      if (asked === undefined) throw new Error('no session is open');
      try {
        return await asked.query(statement);
      } catch (error) {
        // Whatever it was, a fresh session is the surest way on.
        if (session === asked) {
          comeBack(error);
          void asked.close();
        }
        throw error;
      }
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await opening;
      await session?.close();
      session = undefined;
    },
  };
}
