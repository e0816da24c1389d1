import { isDatabaseUnavailable } from '../../kernel/is-database-unavailable.ts';
import type { StorageDeps } from './storage-deps.ts';

/**
 * Removes bytes that no record names any more, once the transaction that took the last one is committed. What cannot be removed now is
 * an orphan, which the daily sweep takes.
 */
export async function forgetBlobs(
  { blobs, logger }: Pick<StorageDeps, 'blobs' | 'logger'>,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return;
  await blobs.remove(keys).catch((err: unknown) => {
    logger.warn({ err, count: keys.length }, 'storage: bytes without a record could not be removed');
  });
}

/** Removes the bytes of a record that could not be written. A connection that broke may have taken the commit along: then they stay. */
export async function forgetUnlessKept(
  deps: Pick<StorageDeps, 'blobs' | 'logger'>,
  key: string,
  error: unknown,
): Promise<void> {
  const cause = error instanceof Error ? error.cause : undefined;
  if (!isDatabaseUnavailable(error) && !isDatabaseUnavailable(cause)) await forgetBlobs(deps, [key]);
}
