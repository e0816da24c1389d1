import { request } from 'node:http';
import type { Deployment } from './start-deployment.ts';

/** A message of either serializer (protocol note, section 3.1), binary ones decoded. */
export type Frame = {
  readonly joinRef: string | null;
  readonly ref: string | null;
  readonly topic: string;
  readonly event: string;
  readonly payload: Record<string, unknown>;
  readonly isBinary: boolean;
};

export type Serializer = '1.0.0' | '2.0.0';

export type RawSocket = {
  /** Everything heard, oldest first. */
  readonly heard: readonly Frame[];
  /** Sends a message in the socket's serializer. */
  push(message: {
    topic: string;
    event: string;
    payload?: unknown;
    ref?: string | null;
    joinRef?: string | null;
  }): void;
  /** Sends exactly this. */
  sendRaw(frame: string | Uint8Array): void;
  /** The first message, heard already or still to come, that the predicate accepts. */
  find(predicate: (frame: Frame) => boolean): Promise<Frame>;
  /** The reply to the push with this reference. */
  replyTo(ref: string): Promise<Frame>;
  isOpen(): boolean;
  /** Resolves with the code once the connection has ended. */
  readonly closed: Promise<number>;
  close(): void;
};

const PATIENCE_MS = 15_000;

/** A plain WebSocket that knows the two serializers and nothing else: no heartbeat, no rejoining. */
export async function openRawSocket(
  { url, anonKey }: Pick<Deployment, 'url' | 'anonKey'>,
  serializer: Serializer,
  apikey: string = anonKey,
): Promise<RawSocket> {
  const address = `${url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${encodeURIComponent(apikey)}&vsn=${serializer}`;
  const socket = new WebSocket(address);
  socket.binaryType = 'arraybuffer';
  const heard: Frame[] = [];
  const waiting = new Set<() => void>();
  socket.addEventListener('message', ({ data }) => {
    heard.push(typeof data === 'string' ? readText(data, serializer) : readBinary(new Uint8Array(data)));
    for (const look of waiting) look();
  });
  const closed = new Promise<number>((resolve) => {
    socket.addEventListener('close', ({ code }) => resolve(code));
  });
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('error', () => reject(new Error(`no socket at ${url}`)));
  });

  const find: RawSocket['find'] = (predicate) =>
    new Promise((resolve, reject) => {
      const stop = () => {
        waiting.delete(look);
        clearTimeout(timer);
      };
      const look = () => {
        const found = heard.find(predicate);
        if (found === undefined) return;
        stop();
        resolve(found);
      };
      const timer = setTimeout(() => {
        stop();
        reject(new Error(`not among what was heard: ${JSON.stringify(heard).slice(0, 2_000)}`));
      }, PATIENCE_MS);
      waiting.add(look);
      look();
    });

  return {
    heard,
    push: ({ topic, event, payload = {}, ref = null, joinRef = null }) =>
      socket.send(
        serializer === '1.0.0'
          ? JSON.stringify({ topic, event, payload, ref, join_ref: joinRef })
          : JSON.stringify([joinRef, ref, topic, event, payload]),
      ),
    sendRaw: (frame) => socket.send(frame as string),
    find,
    replyTo: (ref) => find((frame) => frame.event === 'phx_reply' && frame.ref === ref),
    isOpen: () => socket.readyState === WebSocket.OPEN,
    closed,
    close: () => socket.close(),
  };
}

function readText(text: string, serializer: Serializer): Frame {
  const message = JSON.parse(text);
  const [joinRef, ref, topic, event, payload] =
    serializer === '2.0.0'
      ? message
      : [message.join_ref ?? null, message.ref, message.topic, message.event, message.payload];
  return { joinRef, ref, topic, event, payload, isBinary: false };
}

/** A server push of kind 4: kind, four lengths and encoding, the three strings, the payload. */
function readBinary(bytes: Uint8Array): Frame {
  const [kind, topicLength = 0, eventLength = 0, metaLength = 0, encoding] = bytes;
  if (kind !== 4) throw new Error(`a binary frame of kind ${kind}`);
  const text = (from: number, to: number) => new TextDecoder().decode(bytes.slice(from, to));
  const [topicEnd, eventEnd] = [5 + topicLength, 5 + topicLength + eventLength];
  const payloadStart = eventEnd + metaLength;
  const meta = text(eventEnd, payloadStart);
  return {
    joinRef: null,
    ref: null,
    topic: text(5, topicEnd),
    event: 'broadcast',
    payload: {
      type: 'broadcast',
      event: text(topicEnd, eventEnd),
      payload: encoding === 1 ? JSON.parse(text(payloadStart, bytes.length)) : bytes.slice(payloadStart),
      ...(meta !== '' && { meta: JSON.parse(meta) }),
    },
    isBinary: true,
  };
}

/** A client push of kind 3, as today's client sends every broadcast. */
export function encodeBroadcast(message: {
  readonly topic: string;
  readonly event: string;
  readonly payload: string | Uint8Array;
  readonly ref?: string;
  readonly joinRef?: string;
}): Uint8Array {
  const { topic, event, payload, ref = '', joinRef = '' } = message;
  const strings = [joinRef, ref, topic, event, ''].map((part) => Buffer.from(part));
  return Buffer.concat([
    Buffer.from([3, ...strings.map(({ length }) => length), typeof payload === 'string' ? 1 : 0]),
    ...strings,
    Buffer.from(payload),
  ]);
}

/** How the server answers a handshake: 101, or the refusal with its body. */
export function shakeHands(
  url: string,
  query: string,
): Promise<{ readonly status: number; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const attempt = request(`${url}/realtime/v1/websocket?${query}`, {
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      },
    });
    attempt.on('upgrade', (_response, socket) => {
      socket.destroy();
      resolve({ status: 101, body: '' });
    });
    attempt.on('response', async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() });
    });
    attempt.on('error', reject);
    attempt.end();
  });
}
