const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

/**
 * Whether a host's name stands for the machine that it is used on, whatever a name server says.
 * @param hostname as `URL` gives it: without a port, IPv6 in brackets.
 */
export function isLoopbackHost(hostname: string): boolean {
  return LOOPBACK_HOST.test(hostname);
}
