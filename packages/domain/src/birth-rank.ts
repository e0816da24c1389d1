/** A link that stands where its birth puts it, until somebody moves it. */
interface Born {
  readonly id: string;
  /** ISO 8601, with as many digits of the second as there are. */
  readonly created_at: string;
}

/** The digits of a rank that say a moment: microseconds since 1970. */
export const MOMENT_DIGITS = 14;

/** Where a birth puts a link (link-ranks.ts). Twin of `private.birth_rank` in the database; a test compares the two. */
export function birthRank({ id, created_at: born }: Born): string {
  const [, fraction = ''] = /\.(\d+)/.exec(born) ?? [];
  const micros = Date.parse(born.replace(/\.\d+/, '')) * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6));
  return `${toMoment(micros)}${id.replaceAll('-', '')}8`;
}

export function toMoment(micros: number): string {
  return micros.toString(16).padStart(MOMENT_DIGITS, '0');
}
