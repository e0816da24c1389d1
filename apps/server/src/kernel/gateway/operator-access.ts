import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isLoopbackHost } from '../networks.ts';

export type OperatorAccessOptions = {
  readonly siteUrl: string;
  readonly trustProxy: boolean;
  /** What proves the operator where the connection's address proves nothing. */
  readonly key: string;
};

/** Tells the operator of this installation from everybody else: mails, metrics and the payment emulator's controls are theirs. */
export type OperatorAccess = {
  /** The key; undefined where this machine's own user needs none. */
  readonly requiredKey: string | undefined;
  isOperator(request: FastifyRequest): boolean;
  /**
   * Turns the key in an address (`?key=…`) into a cookie for `path` and what lies below, and leads to the same page without it.
   * @returns undefined where there is no such key.
   */
  exchangeKey(request: FastifyRequest, reply: FastifyReply, path: string): FastifyReply | undefined;
};

/** Headers that a proxy adds: then the connection's address is the proxy's and says nothing about the caller. */
const FORWARDING_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];
const LOOPBACK_ADDRESS = /^(?:127\.|::1$|::ffff:127\.)/;
const COOKIE = 'linkoteca_operator';
const COOKIE_VALUE = new RegExp(`(?:^|;)\\s*${COOKIE}=([^;\\s]+)`);

/**
 * Whoever sits at this machine is its operator only where people open the product at a name of this machine and no proxy is
 * declared: a proxy beside the server connects from a loopback address, too, and need not say for whom.
 */
export function createOperatorAccess({ siteUrl, trustProxy, key }: OperatorAccessOptions): OperatorAccess {
  const { hostname, protocol } = new URL(siteUrl);
  const isOwn = !trustProxy && isLoopbackHost(hostname);
  const isKey = (given: string | undefined) => given !== undefined && isSame(given, key);
  return {
    requiredKey: isOwn ? undefined : key,
    isOperator: (request) =>
      (isOwn && isFromThisMachine(request)) ||
      isKey(/^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]) ||
      isKey(COOKIE_VALUE.exec(request.headers.cookie ?? '')?.[1]),
    exchangeKey(request, reply, path) {
      const address = URL.parse(request.url, siteUrl);
      if (request.method !== 'GET' || !isKey(address?.searchParams.get('key') ?? undefined)) return undefined;
      const secure = protocol === 'https:' ? '; Secure' : '';
      return reply
        .header('set-cookie', `${COOKIE}=${key}; Path=${path}; HttpOnly; SameSite=Strict${secure}`)
        .header('cache-control', 'no-store')
        .header('referrer-policy', 'no-referrer')
        .redirect(address?.pathname ?? path, 303);
    },
  };
}

/** The name matters: a page on the web may point its own domain at 127.0.0.1 and would otherwise read along (DNS rebinding). */
function isFromThisMachine({ socket, headers }: FastifyRequest): boolean {
  if (!LOOPBACK_ADDRESS.test(socket.remoteAddress ?? '')) return false;
  if (FORWARDING_HEADERS.some((name) => headers[name] !== undefined)) return false;
  return isLoopbackHost((headers.host ?? '').replace(/:\d+$/, ''));
}

function isSame(given: string, expected: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(expected));
}
