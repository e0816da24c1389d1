import { createHash } from 'node:crypto';
import type { SharedPage } from '@linkoteca/domain/sharing';
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

const VISITOR = { role: 'anon', claims: { role: 'anon' } } as const;

/** The page in one statement, so that access and links are of the same moment. */
const STATEMENT = `
  with page as materialized (
    select * from public.shared_links(
      $1, 50, split_part($2, ',', 1)::timestamptz, nullif(split_part($2, ',', 2), '')::uuid
    )
  ),
  last as (select created_at, id from page order by created_at, id limit 1)
  select json_build_object(
    'category', row_to_json(c),
    'links', coalesce((select json_agg(p order by p.created_at desc, p.id desc) from page as p), '[]'),
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
