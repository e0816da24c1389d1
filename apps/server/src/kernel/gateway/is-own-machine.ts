import type { FastifyRequest } from 'fastify';

/** Headers that a proxy adds: then the connection's address is the proxy's and says nothing about the caller. */
const FORWARDING_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];
const LOOPBACK_ADDRESS = /^(?:127\.|::1$|::ffff:127\.)/;
const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/i;

/**
 * Whether a request comes from this very machine and asked for it by such a name. The name matters: a page on the web may
 * point its own domain at 127.0.0.1 and would otherwise read what we show to the machine's owner (DNS rebinding).
 */
export function isOwnMachine(request: FastifyRequest, siteUrl: string): boolean {
  if (!LOOPBACK_ADDRESS.test(request.socket.remoteAddress ?? '')) return false;
  if (FORWARDING_HEADERS.some((name) => request.headers[name] !== undefined)) return false;
  const host = request.headers.host ?? '';
  return LOOPBACK_HOST.test(host) || host === new URL(siteUrl).host;
}
