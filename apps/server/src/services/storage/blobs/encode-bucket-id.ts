/**
 * A bucket's id as a part of a path: no dot and no separator is left in it, so it is never `..`, and no server or file system reads
 * anything else in it.
 */
export function encodeBucketId(bucketId: string): string {
  return encodeURIComponent(bucketId).replaceAll('.', '%2E');
}

/** The id again. Somebody else's name need not be an encoding: it is answered with one that no bucket has. */
export function decodeBucketId(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return '';
  }
}
