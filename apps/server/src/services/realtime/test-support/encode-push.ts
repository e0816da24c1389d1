/** Kind 3 as the official client writes it (protocol note, section 3.1). */
export function encodePush(push: {
  readonly joinRef?: string;
  readonly ref?: string;
  readonly topic: string;
  readonly event: string;
  readonly payload: Buffer | object;
  readonly meta?: string;
}): Buffer {
  const { joinRef = '', ref = '', topic, event, payload, meta = '' } = push;
  const names = [joinRef, ref, topic, event, meta].map((name) => Buffer.from(name));
  const isRaw = Buffer.isBuffer(payload);
  const header = Buffer.from([3, ...names.map(({ length }) => length), isRaw ? 0 : 1]);
  return Buffer.concat([header, ...names, isRaw ? payload : Buffer.from(JSON.stringify(payload))]);
}
