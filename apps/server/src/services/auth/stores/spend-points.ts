import { createHash } from 'node:crypto';
import type { Transaction } from '../../../kernel/database.ts';

/** Something that may happen so often within a window. */
export type Spending = { readonly key: string; readonly points: number; readonly seconds: number };

/**
 * Of a row `c` that an insert has met: its window is over, or would last longer than a whole one from `now`, having begun by a clock that
 * was ahead. By a minute the clocks of two copies of the server may differ.
 */
export function isOver(now: string): string {
  return `(c.ends_at <= ${now} or c.ends_at > excluded.ends_at + interval '1 minute')`;
}

/**
 * Counts one more of each, for all copies of the server at once: whoever counts the same at the same moment waits.
 * @returns the spendings that are over their limit, with the seconds until their window ends. Roll back to count none of them.
 */
export async function spendPoints(
  tx: Transaction,
  spendings: readonly Spending[],
  now: Date,
): Promise<readonly { readonly spending: Spending; readonly secondsLeft: number }[]> {
  const byKey = new Map(spendings.map((spending) => [hashKey(spending.key), spending]));
  const { rows } = await tx.query<{ key: string; points: number; ends_at: Date }>({
    name: 'auth_spend_points',
    // In one order for everybody, so that nobody waits in a circle.
    text: `insert into auth.rate_counters as c (key, points, ends_at)
      select s.key, 1, $3::timestamptz + make_interval(secs => s.seconds)
      from unnest($1::text[], $2::int[]) as s(key, seconds) order by s.key
      on conflict (key) do update set
        points = case when ${isOver('$3')} then 1 else c.points + 1 end,
        ends_at = case when ${isOver('$3')} then excluded.ends_at else c.ends_at end
      returning key, points, ends_at`,
    values: [[...byKey.keys()], [...byKey.values()].map(({ seconds }) => seconds), now],
  });
  return rows.flatMap(({ key, points, ends_at: endsAt }) => {
    const spending = byKey.get(key);
    if (!spending || points <= spending.points) return [];
    return [{ spending, secondsLeft: secondsUntilEnd(spending, endsAt, now) }];
  });
}

/** Whoever began the window may have come a moment later than this one, or by another clock: never more than the window. */
export function secondsUntilEnd({ seconds }: Spending, endsAt: Date, now: Date): number {
  return Math.min(Math.ceil((endsAt.getTime() - now.getTime()) / 1000), seconds);
}

/** Takes one point back from each. */
export async function returnPoints(tx: Transaction, keys: readonly string[]): Promise<void> {
  await tx.query({
    name: 'auth_return_points',
    text: `with wanted as (
        select key from auth.rate_counters where key = any($1::text[]) and points > 0 order by key for update)
      update auth.rate_counters set points = points - 1 where key in (select key from wanted)`,
    values: [keys.map(hashKey)],
  });
}

/** Under what something is counted: whose address or account it is, is not kept. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}
