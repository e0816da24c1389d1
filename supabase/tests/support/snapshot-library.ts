import type { ThrowawayDatabase } from '@linkoteca/test-kit/create-throwaway-database';
import type { TestUser } from '@linkoteca/test-kit/create-user';

const TABLES = ['folders', 'categories', 'links', 'category_counts', 'library_counts'] as const;

/** Everything a person has, down to the microsecond: each table's rows as JSON, in a fixed order, and the text that search reads. */
export async function snapshotLibrary(
  { admin }: Pick<ThrowawayDatabase, 'admin'>,
  { id }: TestUser,
): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const read = async (text: string) =>
    (await admin.query<{ row: string }>(text, [id])).rows.map(({ row }) => row);
  const entries = TABLES.map(async (table) => [
    table,
    await read(`select to_jsonb(t)::text as row from public.${table} t where user_id = $1 order by 1`),
  ]);
  const shares = await read(
    `select to_jsonb(s)::text as row from shared_with s join categories c on c.id = s.category_id where c.user_id = $1 order by 1`,
  );
  const texts = await read(
    `select to_jsonb(s)::text as row from private.link_search s where user_id = $1 order by 1`,
  );
  return { ...Object.fromEntries(await Promise.all(entries)), shares, texts };
}
