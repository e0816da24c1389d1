/** A day of the calendar, 'yyyy-MM-dd': as text it sorts as in time. */
export type CivilDay = string;

/** A day, a month or a year. */
export interface Period {
  readonly first: CivilDay;
  /** The day after its last. */
  readonly next: CivilDay;
}

const WHOLE = /^(?:(?:(\d{1,2})\/)?(\d{1,2})\/)?(\d{4})$/;

/** 'dd/MM/yyyy', 'MM/yyyy' or 'yyyy'; null for anything else, and for days that no calendar has. */
export function readPeriod(value: string): Period | null {
  const match = WHOLE.exec(value);
  if (match === null) return null;
  const [, day, month, year] = match.map((part) => (part === undefined ? undefined : Number(part)));
  // Before it Postgres and browsers count differently, and nobody has saved a link.
  if (year === undefined || year < 1000 || year > 9998) return null;
  const first = new Date(Date.UTC(year, (month ?? 1) - 1, day ?? 1));
  // The 32nd of a month is another month's first to Date.
  if (first.getUTCDate() !== (day ?? 1) || first.getUTCMonth() !== (month ?? 1) - 1) return null;
  const next = new Date(first);
  if (day) next.setUTCDate(day + 1);
  else if (month) next.setUTCMonth(month);
  else next.setUTCFullYear(year + 1);
  return { first: toDay(first), next: toDay(next) };
}

/** Whether more digits could still make it a period. */
export function startsPeriod(value: string): boolean {
  return /^(\d{1,2}\/){0,2}\d{0,3}$/.test(value);
}

function toDay(date: Date): CivilDay {
  return date.toISOString().slice(0, 10);
}
