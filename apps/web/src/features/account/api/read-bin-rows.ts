import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import type { BinRow } from '../model/account-copy-file.ts';

interface BinRead {
  readonly database: DatabaseClient;
  readonly signal: AbortSignal;
}

/** The most that is answered at once. */
const PAGE_SIZE = 1000;

/** Reads all that is in the person's bin, in the order in which it was deleted, page after page. */
export async function* readBinRows({ database, signal }: BinRead): AsyncGenerator<readonly BinRow[]> {
  let last: BinRow | undefined;
  for (;;) {
    const after = last && { after_deletion: last.deletion_id, after_kind: last.kind, after_id: last.id };
    const { data, error } = await database
      .rpc('list_bin_rows', { ...after, max: PAGE_SIZE })
      .abortSignal(signal);
    if (error) throw error;
    yield data;
    last = data.at(-1);
    if (last === undefined || data.length < PAGE_SIZE) return;
  }
}
