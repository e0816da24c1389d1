import type { Logger } from 'pino';
import type { Database, Row, Rows, Statement } from '../../../kernel/database.ts';
import { keepSession, openSession } from '../../../kernel/keep-session.ts';

/** The one session by which a copy is seen and speaks: as long as it is open, the copy lives. */
export type PeerSession = {
  isOpen(): boolean;
  /** @throws when no session is open, or the driver's error. */
  query<T extends Row = Row>(statement: Statement): Promise<Rows<T>>;
  stop(): Promise<void>;
};

export type PeerSessionOptions = {
  readonly db: Database;
  readonly name: string;
  /** Called each time it is open and ready to be asked. */
  readonly onReady: () => void;
  /** Another copy has come. */
  readonly onNotification: () => void;
  readonly logger: Pick<Logger, 'warn'>;
};

const ARRIVALS = 'linkoteca_copies';

/**
 * Postgres ends the session of a machine that has vanished after ten seconds instead of two hours. A batch must be on the log's
 * disk before others can read it, but on no replica's. Then the others are told that somebody has come.
 */
const SET_UP = `set tcp_keepalives_idle = 4; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3;
  set synchronous_commit = local; listen ${ARRIVALS}; notify ${ARRIVALS}`;

export function keepPeerSession({
  db,
  name,
  onReady,
  onNotification,
  logger,
}: PeerSessionOptions): PeerSession {
  const kept = keepSession({
    open: (isReady) => openSession(db, { name, setUp: SET_UP, onReady: isReady, onNotification }),
    onReady,
    onLost({ error, failures }) {
      if (failures === 1)
        logger.warn({ err: error }, 'the session by which other copies see this one is lost');
    },
    firstDelayMs: 100,
    maxDelayMs: 2_000,
  });
  return {
    isOpen: () => kept.current() !== undefined,
    async query(statement) {
      const session = kept.current();
      if (session === undefined) throw new Error('no session is open');
      try {
        return await session.query(statement);
      } catch (error) {
        // Whatever it was, a fresh session is the surest way on.
        void session.close(error instanceof Error ? error : new Error(String(error)));
        throw error;
      }
    },
    stop: kept.stop,
  };
}
