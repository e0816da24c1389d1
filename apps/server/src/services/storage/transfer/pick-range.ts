import type { IncomingHttpHeaders } from 'node:http';
import parseRange from 'range-parser';
import type { ByteRange } from '../blobs/blob-store.ts';

/**
 * The part of a file that is asked for (RFC 9110, section 14): undefined for the whole of it, which also answers several parts at
 * once and what cannot be read, as the standard allows; `unsatisfiable` for one behind its end.
 */
export function pickRange(
  { range, 'if-range': ifRange }: IncomingHttpHeaders,
  {
    size,
    eTag,
    lastModified,
  }: { readonly size: number; readonly eTag: string; readonly lastModified: string },
): ByteRange | 'unsatisfiable' | undefined {
  if (range === undefined) return undefined;
  // The client has a part of another state of the file: it needs all of this one.
  if (ifRange !== undefined && ifRange !== eTag && ifRange !== lastModified) return undefined;
  const ranges = parseRange(size, range);
  if (ranges === -1) return 'unsatisfiable';
  if (ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return undefined;
  return ranges[0];
}
