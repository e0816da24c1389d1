import type { Frame } from './frame.ts';

const KIND = 3;
/** The kind, five lengths and the encoding, one byte each. */
const HEADER_BYTES = 7;
const JSON_ENCODING = 1;
const RAW_ENCODING = 0;

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * A client's broadcast in binary form (protocol note, section 3.1): lengths first, then join reference, reference, topic,
 * the user's event, metadata, and the payload up to the end. Metadata is read past: nothing in it is served.
 * @returns undefined when a length reaches past the end, or a name is not UTF-8.
 */
export function parseUserBroadcastPush(data: Buffer): Frame | undefined {
  if (data.length < HEADER_BYTES || data[0] !== KIND) return undefined;
  const encoding = data[6];
  if (encoding !== JSON_ENCODING && encoding !== RAW_ENCODING) return undefined;
  const parts: Buffer[] = [];
  let offset = HEADER_BYTES;
  for (const length of data.subarray(1, 6)) {
    if (offset + length > data.length) return undefined;
    parts.push(data.subarray(offset, offset + length));
    offset += length;
  }
  const names = readNames(parts);
  if (!names) return undefined;
  const [joinRef = '', ref = '', topic = '', event = ''] = names;
  return {
    joinRef: joinRef === '' ? null : joinRef,
    ref: ref === '' ? null : ref,
    topic,
    event: 'broadcast',
    payload: undefined,
    push: {
      event,
      encoding: encoding === JSON_ENCODING ? 'json' : 'binary',
      bytes: data.subarray(offset),
    },
  };
}

function readNames(parts: readonly Buffer[]): readonly string[] | undefined {
  try {
    return parts.slice(0, 4).map((part) => decoder.decode(part));
  } catch {
    return undefined;
  }
}
