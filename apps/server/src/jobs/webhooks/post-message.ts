import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { findUrlFault } from '../../../../../supabase/functions/_shared/public-addresses.ts';
import { signWebhook } from '../../kernel/sign-webhook.ts';
import {
  createPublicConnection,
  type PublicConnectionDeps,
} from '../../services/functions/outbound/open-public-connection.ts';

/** What is sent to a receiver, once. */
export type WebhookMessage = {
  readonly url: string;
  /** The same each time that it is sent. */
  readonly id: string;
  /** JSON, to the letter: it is signed. */
  readonly body: string;
  /** Each of them signs: the receiver may know any. */
  readonly secrets: readonly Buffer[];
};

/** What became of it. A receiver inside a private network is `unreachable`, as one that does not exist: answers map no network. */
export type WebhookAnswer =
  | { readonly outcome: 'delivered'; readonly status: number }
  | { readonly outcome: 'refused'; readonly status: number; readonly retryAfterSeconds?: number }
  | { readonly outcome: 'unreachable' | 'timeout' };

export type PostMessage = (message: WebhookMessage) => Promise<WebhookAnswer>;

export type PostMessageDeps = PublicConnectionDeps & {
  readonly now?: () => Date;
  /** From the look-up of the name to the head of the answer, in milliseconds. */
  readonly patienceMs?: number;
};

const PATIENCE_MS = 10_000;
const MAX_HEADER_BYTES = 16_384;

/**
 * Posts messages to receivers on the internet, signed as Standard Webhooks says. Any 2xx is a delivery; redirects are not followed, and of the
 * answer only the head is read, so that no receiver can fill this process.
 * @returns never rejects.
 */
export function createMessagePost(deps: PostMessageDeps = {}): PostMessage {
  const { now = () => new Date(), patienceMs = PATIENCE_MS } = deps;
  const open = createPublicConnection(deps);
  return async (message) => {
    const signal = AbortSignal.timeout(patienceMs);
    try {
      const url = new URL(message.url);
      if (url.protocol !== 'https:' || findUrlFault(url) !== undefined) return { outcome: 'unreachable' };
      const headers = signWebhook({ ...message, sentAt: now() }, message.secrets);
      return readAnswer(await send(url, await open(url, signal), { ...message, headers, signal }), now());
    } catch {
      return { outcome: signal.aborted ? 'timeout' : 'unreachable' };
    }
  };
}

type Outgoing = {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
};

/** @returns the head of the answer; its body is not read. */
async function send(url: URL, socket: Socket, { body, headers, signal }: Outgoing): Promise<IncomingMessage> {
  const outgoing = request({
    method: 'POST',
    createConnection: () => socket,
    path: `${url.pathname}${url.search}`,
    headers: {
      ...headers,
      host: url.host,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'user-agent': 'Linkoteca/1.0 (webhooks)',
      connection: 'close',
    },
    maxHeaderSize: MAX_HEADER_BYTES,
    signal,
  });
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  outgoing.once('response', resolve);
  // It may fail again after it has answered, when the connection is cut: then nobody cares.
  outgoing.on('error', reject);
  outgoing.once('close', () => reject(new Error('the connection ended without an answer')));
  outgoing.end(body);
  try {
    const answer = await promise;
    answer.on('error', ignore);
    return answer;
  } finally {
    socket.destroy();
  }
}

function readAnswer({ statusCode = 0, headers }: IncomingMessage, now: Date): WebhookAnswer {
  if (statusCode >= 200 && statusCode < 300) return { outcome: 'delivered', status: statusCode };
  const retryAfterSeconds = readRetryAfter(headers['retry-after'], now);
  return {
    outcome: 'refused',
    status: statusCode,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}

/** Seconds or a date (RFC 9110, section 10.2.3); undefined where it says neither. */
function readRetryAfter(value: string | undefined, now: Date): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const seconds = Math.ceil((Date.parse(value) - now.getTime()) / 1000);
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, 1_000_000) : undefined;
}

function ignore(): void {}
