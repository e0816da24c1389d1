export type BlobKey = { readonly bucketId: string; readonly version: string };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The key under which a version of a file in a bucket lies. */
export function toBlobKey(bucketId: string, version: string): string {
  return `${bucketId}/${version}`;
}

/**
 * Takes a key apart: a bucket's id, which never has a slash, and a version in the form that `randomUUID` writes. Undefined for
 * anything else, so that nothing but what the server wrote is ever touched.
 */
export function parseBlobKey(key: string): BlobKey | undefined {
  const slash = key.lastIndexOf('/');
  const [bucketId, version] = [key.slice(0, slash), key.slice(slash + 1)];
  if (slash < 1 || bucketId.includes('/') || bucketId.includes('\0') || !UUID.test(version)) return undefined;
  return { bucketId, version };
}
