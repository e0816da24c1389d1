/** RFC 9110, section 8.3.1, without parameters. */
const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+$/;

/** A content type without its parameters, in lower case; undefined for what is none. */
export function readMediaType(contentType: string): string | undefined {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return MEDIA_TYPE.test(type) ? type : undefined;
}

/** Whether a bucket takes files of a type. Its list names types (`image/png`) or all of a kind (`image/*`); no list allows all. */
export function isMimeTypeAllowed(mediaType: string, allowed: readonly string[] | null): boolean {
  if (allowed === null || allowed.length === 0) return true;
  const [kind] = mediaType.split('/', 1);
  return allowed
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => entry === mediaType || entry === `${kind}/*` || entry === '*/*');
}
