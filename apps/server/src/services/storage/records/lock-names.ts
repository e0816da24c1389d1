import type { Transaction } from '../../../kernel/database.ts';

export type ObjectName = { readonly bucket: string; readonly name: string };

/**
 * Until the transaction ends nobody else writes under these names: what is overwritten is then known for sure. Always the first
 * thing a writer does, and always in the same order, so that writers never wait for each other in a circle.
 */
export async function lockNames(tx: Transaction, names: readonly ObjectName[]): Promise<void> {
  await tx.query({
    name: 'storage_lock_names',
    text: `select pg_advisory_xact_lock(key)
      from (select distinct hashtextextended('storage ' || name, 0) as key from unnest($1::text[]) as name order by 1) as keys`,
    values: [names.map(({ bucket, name }) => `${bucket}/${name}`)],
  });
}
