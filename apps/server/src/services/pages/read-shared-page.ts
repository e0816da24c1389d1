import { createHash } from 'node:crypto';
import { readSharedId, type SharedPage, type SharedView } from '@linkoteca/domain/sharing';
import { type Database, queryAsCaller } from '../../kernel/database.ts';

export type SharedPageQuery = {
  readonly categoryId: string;
  /** The cursor of the last link seen: its created_at and id, or a moment alone; null for the newest links. */
  readonly before: string | null;
};

/** What a visitor may see. */
export type SharedPageText = {
  /** Names the state of the page: another text has another one. */
  readonly state: string;
  parse(): SharedPage;
};

/** As whom public pages are read, whoever looks at them. */
export const VISITOR = { role: 'anon', claims: { role: 'anon' } } as const;

/** The page in one statement, so that access and links are of the same moment. Their order is the function's: newest first, or their owner's. */
const STATEMENT = `
  with page as materialized (
    select * from public.shared_links(
      $1, 50, split_part($2, ',', 1)::timestamptz, nullif(split_part($2, ',', 2), '')::uuid
    ) with ordinality
  ),
  last as (select created_at, id from page order by ordinality desc limit 1)
  select json_build_object(
    'category', row_to_json(c),
    'links', coalesce((select json_agg(to_jsonb(p) - 'ordinality' order by p.ordinality) from page as p), '[]'),
    'hasOlder', exists (
      select from last, lateral public.shared_links($1, 1, last.created_at, last.id)
    )
  )::text as text
  from public.shared_category($1) as c
  where c.access = 'public'`;

/**
 * Reads a category as a visitor: whatever is asked, the database decides. Null when it is not public, or does not exist.
 * @throws pg.DatabaseError
 */
export async function readSharedPage(
  db: Database,
  { categoryId, before }: SharedPageQuery,
): Promise<SharedPageText | null> {
  const { rows } = await queryAsCaller<{ text: string }>(
    db,
    VISITOR,
    { name: 'shared_page', text: STATEMENT, values: [categoryId, before] },
    { readOnly: true },
  );
  const [row] = rows;
  if (row === undefined) return null;
  return {
    state: createHash('sha256').update(row.text).digest('base64url'),
    parse: () => ({ ...(JSON.parse(row.text) as Omit<SharedPage, 'before'>), before }),
  };
}

type PageRequest = SharedPageQuery & {
  readonly view: SharedView;
  /** Whoever comes from the page into the app. */
  readonly wantsApp: boolean;
};

/** As Postgres writes a time into JSON. */
const MOMENT =
  /^(?:19|20)\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d(?:\.\d{1,6})?(?:[+-](?:0\d|1[0-5]):[0-5]\d|Z)$/;

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
