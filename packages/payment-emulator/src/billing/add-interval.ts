const DAY_SECONDS = 86_400;

/**
 * The moment `count` intervals after an anchor. Months keep the anchor's day and, where a month is too short, take its last
 * one: 31 January, 28 February, 31 March (Stripe, "Billing cycle anchor").
 * @param interval `day`, `week`, `month` or `year`.
 * @param anchor seconds since 1970, as the answer.
 */
export function addInterval(anchor: number, interval: string, count: number): number {
  if (interval === 'day') return anchor + count * DAY_SECONDS;
  if (interval === 'week') return anchor + count * 7 * DAY_SECONDS;
  const months = interval === 'year' ? count * 12 : count;
  const from = new Date(anchor * 1000);
  const first = new Date(from);
  first.setUTCDate(1);
  first.setUTCMonth(from.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  first.setUTCDate(Math.min(from.getUTCDate(), lastDay));
  return Math.floor(first.getTime() / 1000);
}

/** The first of an anchor's moments that lies after `time`. */
export function findNextPeriodEnd(
  anchor: number,
  interval: string,
  intervalCount: number,
  time: number,
): number {
  let steps = 1;
  while (addInterval(anchor, interval, steps * intervalCount) <= time) steps += 1;
  return addInterval(anchor, interval, steps * intervalCount);
}
