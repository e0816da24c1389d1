/** How long a public page stays open, as it is chosen: as it is stored, for ever, for so many days, or until a day. */
export type PageEndChoice = 'kept' | 'never' | '1' | '7' | '30' | 'day';

export const PAGE_END_DAYS = ['1', '7', '30'] as const;

const DAY_MS = 86_400_000;

/**
 * When the page ends by what was chosen.
 * @param day `2026-12-03`, whole, where the person is.
 * @returns null: never; undefined: as it is stored, or a day that is none or over.
 */
export function readPageEnd(choice: PageEndChoice, day: string, now: Date): Date | null | undefined {
  if (choice === 'kept') return undefined;
  if (choice === 'never') return null;
  if (choice !== 'day') return new Date(now.getTime() + Number(choice) * DAY_MS);
  const end = new Date(`${day}T23:59:59`);
  return Number.isNaN(end.getTime()) || end <= now ? undefined : end;
}

/** The day of a moment where the person is, as a date field takes it: '2026-12-03'. */
export function toDay(moment: Date): string {
  const parts = [moment.getMonth() + 1, moment.getDate()].map((part) => String(part).padStart(2, '0'));
  return [moment.getFullYear(), ...parts].join('-');
}
