/** 'dd/MM/yyyy', with a time behind it or not, as Excel in Brazil writes. */
const BRAZILIAN = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?:[ T](\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;

/** A day of ISO 8601 alone: to `Date.parse` it is Greenwich's, here it is the person's. */
const DAY = /^\d{4}-\d{2}-\d{2}$/;

const ISO = /^(\d{4})-(\d{2})-(\d{2})(?!\d)/;

/** A number from here on counts milliseconds, from there on microseconds; below, seconds. */
const MILLISECONDS_FROM = 100_000_000_000;
const MICROSECONDS_FROM = 100_000_000_000_000;

/** A date as bookmark files write it: a number since 1970, ISO 8601, or Brazilian. Milliseconds; null for what is none. */
export function readFileDate(raw: string | undefined): number | null {
  const text = raw?.trim() ?? '';
  if (text === '') return null;
  if (/^\d+(\.\d+)?$/.test(text)) return readNumber(Number(text));
  const brazilian = BRAZILIAN.exec(text);
  if (brazilian) {
    const [, day = 0, month = 0, year = 0, hour = 0, minute = 0, second = 0] = brazilian.map(Number);
    if (!isDay(year, month, day)) return null;
    return orNull(new Date(year, month - 1, day, hour || 0, minute || 0, second || 0).getTime());
  }
  const iso = ISO.exec(text)?.map(Number);
  if (iso && !isDay(iso[1], iso[2], iso[3])) return null;
  return orNull(Date.parse(DAY.test(text) ? `${text}T00:00` : text));
}

/** `Date` takes a 25th month for one of the next years: what has it is written in another country's order. */
function isDay(year = 0, month = 0, day = 0): boolean {
  return new Date(Date.UTC(year, month - 1, day)).getUTCMonth() === month - 1;
}

function readNumber(value: number): number | null {
  if (value >= MICROSECONDS_FROM) return orNull(value / 1000);
  return orNull(value >= MILLISECONDS_FROM ? value : value * 1000);
}

function orNull(value: number): number | null {
  return Number.isFinite(value) && value > 0 ? value : null;
}
