import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { StartedRealtime } from './start-realtime.ts';

export type Received = {
  readonly joinRef: unknown;
  readonly ref: unknown;
  readonly topic: string;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came
  readonly payload: any;
  /** Whether it came in a binary frame. */
  readonly isBinary?: boolean;
};

/** A client written by hand: it says exactly what the test says, right or wrong. */
export type TestSocket = {
  readonly ws: WebSocket;
  readonly received: Received[];
  /** @returns the reference it was sent with. */
  send(topic: string, event: string, payload?: unknown, joinRef?: string | null): string;
  sendBinary(topic: string, event: string, payload: Buffer | object, meta?: string): void;
  join(topic: string, config?: object, extra?: object): Promise<Received>;
  reply(ref: string): Promise<Received>;
  /** The next message that fits and was not asked for before. */
  next(fits: (message: Received) => boolean): Promise<Received>;
  event(name: string, topic?: string): Promise<Received>;
  /** What has come of this event so far, after everything under way has arrived. */
  receivedEvents(event: string): Promise<readonly Received[]>;
  closed(): Promise<{ readonly code: number; readonly reason: string }>;
  close(): void;
};

export type OpenSocketOptions = {
  readonly vsn?: '1.0.0' | '2.0.0';
  readonly key?: string;
  readonly headers?: Record<string, string>;
  /** The address of this machine that the client speaks from. */
  readonly from?: string;
};

const PATIENCE_MS = 20_000;

export async function openSocket(
  server: StartedRealtime,
  options: OpenSocketOptions = {},
): Promise<TestSocket> {
  const { vsn = '2.0.0', key = server.keyring.anonKey, headers = {}, from } = options;
  const url = `${server.url.replace('http', 'ws')}/websocket?apikey=${key}&vsn=${vsn}`;
  const ws = new WebSocket(url, { headers, perMessageDeflate: false, ...(from && { localAddress: from }) });
  const received: Received[] = [];
  const taken = new Set<Received>();
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    ws.on('close', (code, reason) => resolve({ code, reason: reason.toString() })),
  );
  ws.on('message', (data, isBinary) => received.push(decode(data as Buffer, isBinary, vsn)));
  await new Promise((resolve, reject) => ws.once('open', resolve).once('error', reject));
  ws.on('error', () => undefined);
  let lastRef = 0;

  async function next(fits: (message: Received) => boolean): Promise<Received> {
    for (const patience = AbortSignal.timeout(PATIENCE_MS); !patience.aborted; await sleep(2)) {
      const found = received.find((message) => !taken.has(message) && fits(message));
      if (!found) continue;
      taken.add(found);
      return found;
    }
    throw new Error(`nothing came that fits; so far: ${JSON.stringify(received).slice(0, 2_000)}`);
  }
  function send(topic: string, event: string, payload: unknown = {}, joinRef: string | null = null): string {
    lastRef += 1;
    const ref = String(lastRef);
    const message =
      vsn === '2.0.0'
        ? [joinRef, ref, topic, event, payload]
        : { topic, event, payload, ref, ...(joinRef && { join_ref: joinRef }) };
    ws.send(JSON.stringify(message));
    return ref;
  }
  const reply = (ref: string) => next((message) => message.event === 'phx_reply' && message.ref === ref);

  return {
    ws,
    received,
    send,
    sendBinary(topic, event, payload, meta) {
      lastRef += 1;
      ws.send(encodePush({ ref: String(lastRef), topic, event, payload, ...(meta && { meta }) }));
    },
    join(topic, config = {}, extra = {}) {
      const ref = String(lastRef + 1);
      return reply(send(topic, 'phx_join', { config, ...extra }, ref));
    },
    reply,
    next,
    event: (name, topic) =>
      next((message) => message.event === name && (topic === undefined || message.topic === topic)),
    async receivedEvents(event) {
      // Its answer comes behind everything that was sent to this socket before; the register of presences gathers longer.
      await sleep(40);
      await reply(send('phoenix', 'heartbeat'));
      return received.filter((message) => message.event === event);
    },
    closed: () => closed,
    close: () => ws.close(),
  };
}

function decode(data: Buffer, isBinary: boolean, vsn: string): Received {
  if (isBinary) return decodeBinary(data);
  const message = JSON.parse(data.toString());
  if (vsn === '1.0.0') return { joinRef: message.join_ref, ...message };
  const [joinRef, ref, topic, event, payload] = message;
  return { joinRef, ref, topic, event, payload };
}

/** Kind 4 as the official client reads it (protocol note, section 3.1). */
function decodeBinary(data: Buffer): Received {
  const [kind, topicSize = 0, eventSize = 0, metaSize = 0, encoding] = data;
  if (kind !== 4) throw new Error(`a binary frame of kind ${kind}`);
  let offset = 5;
  const take = (size: number) => {
    offset += size;
    return data.subarray(offset - size, offset).toString();
  };
  const [topic, event, meta] = [take(topicSize), take(eventSize), take(metaSize)];
  const rest = data.subarray(offset);
  const payload = encoding === 1 ? JSON.parse(rest.toString()) : rest;
  const body = { type: 'broadcast', event, payload, ...(meta !== '' && { meta: JSON.parse(meta) }) };
  return { joinRef: null, ref: null, topic, event: 'broadcast', payload: body, isBinary: true };
}

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
