import { MOMENT_DIGITS, toMoment } from './birth-rank.ts';

/**
 * Where links stand in the order that somebody gave their category by hand. A rank is a row of hexadecimal digits, compared as
 * text, the greatest on top; its last digit is no zero, so that between any two there is room for another.
 */

/** A link and its rank. */
export interface Standing {
  readonly id: string;
  readonly rank: string;
}

const BASE = 16;
/** A link put on top stands this much above the first, and yet below the next that is born. Microseconds. */
const STEP = 1000;
/** The database takes 255 digits. */
const LONGEST = 200;

/**
 * Ranks for links that go to one place of a list.
 * @param others the list from the top down, without them. @param at how many of it stand above the place.
 * @param whole false where more follows than the list has: then the place is above its last link.
 * @returns the new ranks by id. Seldom others get one, too: where a place was used so often that no short rank is left.
 */
export function ranksAt(
  others: readonly Standing[],
  at: number,
  ids: readonly string[],
  whole: boolean,
): ReadonlyMap<string, string> {
  const first = others[0];
  const last = others.at(-1);
  if (first === undefined || last === undefined) return new Map();
  const end = whole ? others.length : others.length - 1;
  for (let reach = 0; ; reach = reach * 2 + 1) {
    const from = Math.max(0, at - reach);
    const to: number = Math.min(end, at + reach);
    const idsOf = (standing: readonly Standing[]) => standing.map(({ id }) => id);
    const moved = [...idsOf(others.slice(from, at)), ...ids, ...idsOf(others.slice(at, to))];
    const above = others[from - 1]?.rank ?? shift(first.rank, STEP);
    const below = others[to]?.rank ?? shift(last.rank, -STEP);
    const ranks = spread(below, above, moved.toReversed());
    if (ranks.every(({ rank }) => rank.length <= LONGEST) || (from === 0 && to === end))
      return new Map(ranks.map(({ id, rank }) => [id, rank]));
  }
}

/** Ranks between two, from the lower to the higher, each about in the middle of what is left to it. */
function spread(low: string, high: string, ids: readonly string[]): readonly Standing[] {
  const at = ids.length >> 1;
  const id = ids[at];
  if (id === undefined) return [];
  // With digits of its own: two devices that use one place at the same time do not make the same rank.
  const rank = `${between(low, high)}${id.slice(0, 4)}8`;
  return [...spread(low, rank, ids.slice(0, at)), { id, rank }, ...spread(rank, high, ids.slice(at + 1))];
}

/** Digits above one rank and below the other, also with more digits behind. */
function between(low: string, high: string): string {
  let digits = '';
  let open = false;
  for (let at = 0; ; at += 1) {
    const from = digitAt(low, at);
    const to: number = open ? BASE : digitAt(high, at);
    if (to - from > 1) return digits + ((from + to) >> 1).toString(BASE);
    digits += from.toString(BASE);
    open ||= from < to;
  }
}

function digitAt(rank: string, at: number): number {
  return Number.parseInt(rank[at] ?? '0', BASE);
}

function shift(rank: string, micros: number): string {
  const moment = Number.parseInt(rank.slice(0, MOMENT_DIGITS).padEnd(MOMENT_DIGITS, '0'), BASE);
  return toMoment(Math.max(0, moment + micros));
}
