import { FILES_STAY_LOCK } from '@linkoteca/backup/hold-files';
import type { Logger } from 'pino';
import { asStorageAdmin, type Database } from '../../../kernel/database.ts';
import { type BlobStore, parseBlobKey } from './blob-store.ts';

export type SweepDeps = {
  readonly db: Database;
  readonly blobs: BlobStore;
  readonly now: () => Date;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
};

export type SweepReport = { readonly seen: number; readonly removed: number };

/** Nothing younger is an orphan: its record may still be on the way. */
const GRACE_MS = 86_400_000;
const BATCH = 500;
/** So few may all be orphans without anything being wrong. */
const FEW = 100;

/**
 * Removes the bytes that no record names: those of writes that were cut off, or whose removal failed. One copy of the server at a time
 * does it. Where most of what lies there is nobody's, the store is more likely another installation's than full of orphans: then
 * nothing is removed, and the operator is told.
 * @returns undefined when another copy is at it, or a backup copies files whose records may be gone by now.
 */
export async function sweepOrphans({ db, blobs, now, logger }: SweepDeps): Promise<SweepReport | undefined> {
  const before = new Date(now().getTime() - GRACE_MS);
  return asStorageAdmin(db, 'sweep bytes without a record', async (turn) => {
    // The locks end with the transaction, which is idle for as long as the store takes, or with a machine that vanishes.
    await turn.query({
      text: `select set_config('idle_in_transaction_session_timeout', '0', true), set_config('tcp_keepalives_idle', '20', true),
        set_config('tcp_keepalives_interval', '10', true), set_config('tcp_keepalives_count', '4', true)`,
    });
    const { rows } = await turn.query<{ readonly ours: boolean }>({
      text: `select pg_try_advisory_xact_lock(hashtextextended('storage sweep', 0))
        and pg_try_advisory_xact_lock_shared(${FILES_STAY_LOCK}) as ours`,
    });
    if (rows[0]?.ours !== true) return undefined;
    await blobs.removeUnfinished(before);
    const { seen, orphans } = await findOrphans({ db, blobs }, before);
    if (orphans.length > FEW && orphans.length > seen / 2) {
      logger.warn(
        { seen, orphans: orphans.length },
        'storage: most files here have no record in this database; nothing was removed',
      );
      return { seen, removed: 0 };
    }
    for (let at = 0; at < orphans.length; at += BATCH) {
      // Whoever has lost the turn, and the lock with it, removes nothing more.
      await turn.query({ text: 'select 1' });
      await blobs.remove(orphans.slice(at, at + BATCH));
    }
    return { seen, removed: orphans.length };
  });
}

async function findOrphans({ db, blobs }: Pick<SweepDeps, 'db' | 'blobs'>, before: Date) {
  const orphans: string[] = [];
  let seen = 0;
  let batch: string[] = [];
  const judge = async () => {
    const known = await findKnownVersions(db, batch.map(toVersion));
    orphans.push(...batch.filter((key) => !known.has(toVersion(key))));
    batch = [];
  };
  for await (const { key, modifiedAt } of blobs.list()) {
    seen += 1;
    if (modifiedAt < before) batch.push(key);
    if (batch.length === BATCH) await judge();
  }
  await judge();
  return { seen, orphans };
}

/** A version is unique by itself: the bucket's name beside it is for people. */
function toVersion(key: string): string {
  return parseBlobKey(key)?.version ?? '';
}

async function findKnownVersions(db: Database, versions: readonly string[]): Promise<ReadonlySet<string>> {
  if (versions.length === 0) return new Set();
  const { rows } = await asStorageAdmin(db, 'find records of bytes', (tx) =>
    tx.query<{ readonly version: string }>({
      name: 'storage_known_versions',
      text: `select version from storage.objects where version = any ($1::text[])
        union all
        select part::text from storage.resumable_uploads u cross join lateral unnest(u.parts) as part
        where u.parts && $1::uuid[] and part = any ($1::uuid[])
        union all
        select version::text from storage.s3_multipart_uploads_parts where version = any ($1::uuid[])`,
      values: [versions],
    }),
  );
  return new Set(rows.map(({ version }) => version));
}
