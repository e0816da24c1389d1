import type { IncomingMessage } from 'node:http';

/** What counts as one caller: a household or a rented server owns a whole /64 of IPv6, whose single addresses are not worth counting apart. */
export function networkOf(ip: string): string {
  // With a point in it, it is one of IPv4, at a socket that takes both.
  if (!ip.includes(':') || ip.includes('.')) return ip;
  const [head = '', tail] = ip.split('::');
  const start = head === '' ? [] : head.split(':');
  const end = tail === undefined || tail === '' ? [] : tail.split(':');
  const gap = tail === undefined ? 0 : 8 - start.length - end.length;
  const groups = [...start, ...Array.from({ length: gap }, () => '0'), ...end];
  return `${groups.slice(0, 4).join(':')}::/64`;
}

/** The address of a request's caller, as Fastify would tell it: behind a proxy what the proxy saw, whatever stood in front of it. */
export function readAddress({ headers, socket }: IncomingMessage, trustProxy: boolean): string {
  const seen = trustProxy
    ? String(headers['x-forwarded-for'] ?? '')
        .split(',')
        .at(-1)
        ?.trim()
    : undefined;
  return seen || (socket.remoteAddress ?? '');
}

const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

/**
 * Whether a host's name stands for the machine that it is used on, whatever a name server says.
 * @param hostname as `URL` gives it: without a port, IPv6 in brackets.
 */
export function isLoopbackHost(hostname: string): boolean {
  return LOOPBACK_HOST.test(hostname);
}
