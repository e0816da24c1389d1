const KIND = 4;
const MAX_NAME_BYTES = 255;

/**
 * The server's binary broadcast (protocol note, section 3.1): kind 4, three lengths, the encoding, topic, event,
 * metadata, and the payload as it came.
 * @returns undefined when a name does not fit into its one byte of length.
 */
export function encodeUserBroadcast(
  topic: string,
  content: {
    readonly event: string;
    readonly encoding: 'json' | 'binary';
    readonly bytes: Buffer;
    readonly metaJson?: string;
  },
): Buffer | undefined {
  const { event, encoding, bytes, metaJson = '' } = content;
  const names = [topic, event, metaJson].map((name) => Buffer.from(name));
  const lengths = names.map(({ length }) => length);
  if (lengths.some((length) => length > MAX_NAME_BYTES)) return undefined;
  const header = Buffer.from([KIND, ...lengths, encoding === 'json' ? 1 : 0]);
  return Buffer.concat([header, ...names, bytes]);
}
