import * as v from 'valibot';
import { readCursor, writeCursor } from '../../library/cursor.ts';
import { fitPage } from '../../library/fit-page.ts';
import { Problem } from './problem.ts';

const PAGE_SIZES = { usual: 50, most: 100 } as const;

/** UTF-8 bytes of a list in an answer: what is more comes with the cursor. */
export const LIST_BYTES = 262_144;

export const cursor = v.optional(
  v.pipe(
    v.string(),
    v.maxLength(1_000),
    v.description('next_cursor of the answer before, for what comes after it. Left out to begin.'),
  ),
);

export const limit = v.optional(
  v.pipe(
    v.string(),
    v.regex(/^\d{1,9}$/, 'Não é um número'),
    v.toNumber(),
    v.number(),
    v.integer(),
    v.minValue(1, 'No mínimo 1'),
    v.maxValue(PAGE_SIZES.most, `No máximo ${PAGE_SIZES.most}`),
    v.description('So many at most. An answer of large texts holds fewer.'),
  ),
  String(PAGE_SIZES.usual),
);

/** @throws Problem invalid_request, for a cursor that could not be read */
export function requireCursor<T>(read: T | undefined): T {
  if (read === undefined)
    throw new Problem('invalid_request', {
      detail: 'cursor: não é desta lista. Deixe de fora para recomeçar.',
    });
  return read;
}

/** The place of a row in a list that is ordered by a text and an id. */
export type NamedPlace = { readonly name: string; readonly id: string };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const FIRST: NamedPlace = { name: '', id: '00000000-0000-0000-0000-000000000000' };

/** Where a list goes on that is ordered by names. @throws Problem invalid_request */
export function readNamedPlace(text: string | undefined): NamedPlace {
  if (text === undefined) return FIRST;
  const [name, id] = readCursor(text) ?? [];
  // Postgres keeps no NUL, and no name is that long.
  const isName = typeof name === 'string' && name.length <= 1_000 && !name.includes('\0');
  return requireCursor(
    isName && name.isWellFormed() && typeof id === 'string' && UUID.test(id) ? { name, id } : undefined,
  );
}

/** The cursor behind a row of such a list. */
export function writeNamedPlace(row: NamedPlace | undefined): string {
  return writeCursor([row?.name ?? '', row?.id ?? '']);
}

/** A page of a list as it is answered. */
export function presentPage<T>(
  items: readonly T[],
  hasMore: boolean,
  cursorAfter: (count: number) => string,
) {
  const page = fitPage(items, hasMore, cursorAfter, LIST_BYTES);
  return { data: page.items, next_cursor: page.next_cursor };
}
