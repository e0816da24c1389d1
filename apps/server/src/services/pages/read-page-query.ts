import { readSharedId, type SharedView } from '@linkoteca/domain/sharing';
import type { SharedPageQuery } from './read-shared-page.ts';

export type PageRequest = SharedPageQuery & {
  readonly view: SharedView;
  /** Whoever comes from the page into the app. */
  readonly wantsApp: boolean;
};

/** As Postgres writes a time into JSON. */
const MOMENT = /^(?:19|20)\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d(?:\.\d{1,6})?(?:[+-]\d\d:\d\d|Z)$/;

/** What is asked for; null when the address names no category. Nonsense in the query is as if it were not there. */
export function readPageQuery(params: unknown, query: unknown): PageRequest | null {
  const { segment } = params as { readonly segment: string };
  const { before, view, app } = query as Readonly<Record<string, unknown>>;
  const categoryId = readSharedId(segment);
  if (categoryId === null) return null;
  return {
    categoryId,
    before: typeof before === 'string' && isCursor(before) ? before : null,
    view: view === 'list' ? 'list' : 'cards',
    wantsApp: app !== undefined,
  };
}

/** A moment, and mostly the id of the link that was born then. */
function isCursor(text: string): boolean {
  const [moment = '', id, ...more] = text.split(',');
  return isMoment(moment) && (id === undefined || isUuid(id)) && more.length === 0;
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

function isMoment(text: string): boolean {
  const [year, month, day] = text.slice(0, 10).split('-').map(Number);
  if (!MOMENT.test(text) || Number.isNaN(Date.parse(text))) return false;
  // 31 February passes Date.parse, and Postgres refuses it.
  return new Date(Date.UTC(year ?? 0, (month ?? 0) - 1, day)).getUTCDate() === day;
}
