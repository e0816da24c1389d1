import { type Database, queryAsAuthAdmin } from '../../../kernel/database.ts';
import { hashKey, isOver, type Spending, secondsUntilEnd } from './spend-points.ts';

/**
 * Said within the statement: what it counts is seen by everybody at once, and need not be on the disk before the answer. A crash of the
 * database may forget those of its last second.
 */
const NOT_WAITING_FOR_THE_DISK = `set_config('synchronous_commit', 'off', true)`;

/**
 * Counts a guess or a request, for all copies of the server at once and in a transaction of its own: what comes of it does not take its
 * count back.
 * @returns the seconds until the window ends, where the limit was reached; then it is not counted.
 */
export async function countAttempt(db: Database, attempt: Spending, now: Date): Promise<number | undefined> {
  const { rows } = await queryAsAuthAdmin<{ counted: boolean | null; ends_at: Date | null }>(db, {
    name: 'auth_count_attempt',
    text: `with counted as (
        insert into auth.rate_counters as c (key, points, ends_at)
        values ($1, 1, $2::timestamptz + make_interval(secs => $3))
        on conflict (key) do update set
          points = case when ${isOver('$2')} then 1 else c.points + 1 end,
          ends_at = case when ${isOver('$2')} then excluded.ends_at else c.ends_at end
          where ${isOver('$2')} or c.points < $4
        returning true as counted)
      select ${NOT_WAITING_FOR_THE_DISK}, (select counted from counted),
        (select ends_at from auth.rate_counters where key = $1)`,
    values: [hashKey(attempt.key), now, attempt.seconds, attempt.points],
  });
  const [row] = rows;
  if (row?.counted === true) return undefined;
  // Whoever began the window in the same moment is not seen by this statement.
  return row?.ends_at ? Math.max(1, secondsUntilEnd(attempt, row.ends_at, now)) : attempt.seconds;
}

/** It was right, and counts no more. */
export async function forgiveAttempt(db: Database, key: string): Promise<void> {
  await queryAsAuthAdmin(db, {
    name: 'auth_forgive_attempt',
    text: `with forgiven as (
        update auth.rate_counters set points = points - 1 where key = $1 and points > 0)
      select ${NOT_WAITING_FOR_THE_DISK}`,
    values: [hashKey(key)],
  });
}

/** All of them count no more. */
export async function forgetAttempts(db: Database, key: string): Promise<void> {
  await queryAsAuthAdmin(db, {
    name: 'auth_forget_attempts',
    text: `with forgotten as (delete from auth.rate_counters where key = $1)
      select ${NOT_WAITING_FOR_THE_DISK}`,
    values: [hashKey(key)],
  });
}
