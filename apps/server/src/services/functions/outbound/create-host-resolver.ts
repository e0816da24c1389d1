import { Resolver } from 'node:dns/promises';

/** All addresses of a name, of both families. @throws when it has none, or nobody answers. */
export type ResolveHost = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

const TIMEOUT_MS = 2_000;
const TRIES = 2;

/**
 * Asks the name servers itself rather than through the system's resolver (`dns.lookup`): that one works in the few threads
 * that also hash passwords and read files, and a slow name server could keep them all busy.
 * @param servers for tests; by default those of the system.
 */
export function createHostResolver(servers?: readonly string[]): ResolveHost {
  return async (host, signal) => {
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
    if (servers) resolver.setServers(servers);
    const stop = () => resolver.cancel();
    signal.addEventListener('abort', stop, { once: true });
    try {
      const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      if (addresses.length > 0) return addresses;
      const failure = answers.find((answer) => answer.status === 'rejected');
      throw failure?.reason ?? new Error('the name has no address');
    } finally {
      signal.removeEventListener('abort', stop);
    }
  };
}
