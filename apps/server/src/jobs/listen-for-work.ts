import type { Logger } from 'pino';
import type { Database } from '../kernel/database.ts';
import { keepSession, openSession } from '../kernel/keep-session.ts';

/** Channels on which the database tells that something is queued, as the migrations notify them. */
type Channel = 'linkoteca_mails' | 'linkoteca_webhooks';

/**
 * Tells of what is queued for a job, by whichever copy or hand (supabase/migrations/20261123002400_wake_mail_jobs.sql). What is queued while
 * the session is lost is told of when it is back.
 * @param onQueued what to do for each channel.
 * @returns stops it.
 */
export function listenForWork(
  db: Database,
  logger: Pick<Logger, 'warn'>,
  onQueued: Readonly<Partial<Record<Channel, () => void>>>,
): () => Promise<void> {
  const session = keepSession({
    open: (onReady) =>
      openSession(db, {
        name: 'linkoteca jobs',
        setUp: Object.keys(onQueued)
          .map((channel) => `listen ${channel}`)
          .join('; '),
        onReady,
        onNotification: (_payload, channel) => onQueued[channel as Channel]?.(),
      }),
    onReady: () => {
      for (const tell of Object.values(onQueued)) tell();
    },
    onLost: ({ error, failures }) => {
      if (failures === 1) logger.warn({ err: error }, 'the session that is told of queued work is lost');
    },
    firstDelayMs: 100,
    maxDelayMs: 2_000,
  });
  return session.stop;
}
