import { toBlobKey } from '../blobs/blob-store.ts';
import type { SweepDeps } from '../blobs/sweep-orphans.ts';
import { removeExpiredUploads } from '../records/resumable-uploads.ts';
import { removeExpiredS3Uploads } from '../records/s3-uploads.ts';
import { forgetBlobs } from '../storage-deps.ts';
import { UPLOAD_LIFETIME_MS } from './upload-store.ts';

/** Throws away uploads in parts that were begun more than a day ago, with what was kept of them. Files that came of some stay. */
export async function sweepUploads({ db, blobs, logger }: SweepDeps): Promise<void> {
  const lifetimeS = UPLOAD_LIFETIME_MS / 1000;
  for (;;) {
    const [resumable, s3] = [
      await removeExpiredUploads(db, lifetimeS),
      await removeExpiredS3Uploads(db, lifetimeS),
    ];
    const removed = [...resumable, ...s3];
    if (removed.length === 0) return;
    const keys = removed.flatMap(({ bucket_id: bucket, parts }) =>
      parts.map((part) => toBlobKey(bucket, part)),
    );
    await forgetBlobs({ db, blobs, logger }, keys);
  }
}
