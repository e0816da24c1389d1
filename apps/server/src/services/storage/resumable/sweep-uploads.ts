import { toBlobKey } from '../blobs/blob-store.ts';
import type { SweepDeps } from '../blobs/sweep-orphans.ts';
import { removeExpiredUploads } from '../records/resumable-uploads.ts';
import { forgetBlobs } from '../storage-deps.ts';
import { UPLOAD_LIFETIME_MS } from './upload-store.ts';

/** Throws away uploads that were begun more than a day ago, with what was kept of them. Files that came of some stay. */
export async function sweepUploads({ db, blobs, logger }: SweepDeps): Promise<void> {
  for (;;) {
    const removed = await removeExpiredUploads(db, UPLOAD_LIFETIME_MS / 1000);
    if (removed.length === 0) return;
    const keys = removed.flatMap(({ bucket_id: bucket, parts }) =>
      parts.map((part) => toBlobKey(bucket, part)),
    );
    await forgetBlobs({ db, blobs, logger }, keys);
  }
}
