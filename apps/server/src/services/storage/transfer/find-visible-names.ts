import type { Transaction } from '../../../kernel/database.ts';

/** Which of the names are files that the transaction's role may see. */
export async function findVisibleNames(
  tx: Transaction,
  bucket: string,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await tx.query<{ readonly name: string }>({
    name: 'storage_find_visible_names',
    text: 'select name from storage.objects where bucket_id = $1 and name = any ($2::text[])',
    values: [bucket, names],
  });
  return new Set(rows.map(({ name }) => name));
}
