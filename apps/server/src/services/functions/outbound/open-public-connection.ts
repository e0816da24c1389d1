import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { connect, isIP, isIPv6, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import {
  isPublicAddress,
  readLiteral,
} from '../../../../../../supabase/functions/_shared/public-addresses.ts';
import { PreviewError } from '../../../../../../supabase/functions/link-preview/preview-error.ts';

/** For tests: another name server and another wire. What is judged, and how, cannot be changed from outside. */
export type PublicConnectionDeps = { readonly resolve?: ResolveHost; readonly connect?: ConnectTo };

/** Opens a connection to the site of an address, with TLS where it has it. @throws PreviewError `private_name`, or any error of the network. */
export type OpenPublicConnection = (url: URL, signal: AbortSignal) => Promise<Socket>;

/**
 * Connects to the internet and to nothing else. A name is resolved once, all its addresses are judged, and the
 * connection goes to those very addresses: a name server that changes its mind in between (DNS rebinding) is not asked again.
 */
export function createPublicConnection(deps: PublicConnectionDeps = {}): OpenPublicConnection {
  const { resolve = createHostResolver(), connect = connectTo } = deps;
  return async (url, signal) => {
    const literal = readLiteral(url.hostname);
    const addresses = literal === undefined ? await resolve(url.hostname, signal) : [literal];
    signal.throwIfAborted();
    // One private address among public ones is enough: the connection may go to any of them.
    if (!addresses.every(isPublicAddress)) throw new PreviewError('private_name');
    const isTls = url.protocol === 'https:';
    const socket = await connect(addresses, Number(url.port) || (isTls ? 443 : 80), signal);
    // Whoever reads from it hears that it was cut; between two readers nobody does.
    socket.on('error', ignore);
    return isTls ? await secure(socket, url, signal) : socket;
  };
}

/** The certificate must be the name's, whatever address answered. */
async function secure(socket: Socket, { hostname }: URL, signal: AbortSignal): Promise<Socket> {
  const host = (readLiteral(hostname) ?? hostname).replace(/\.+$/, '');
  const secured = connectTls({
    socket,
    host,
    // Server name indication knows no addresses (RFC 6066, section 3).
    servername: isIP(host) ? '' : host,
    ALPNProtocols: ['http/1.1'],
  });
  secured.on('error', ignore);
  await once(secured, 'secureConnect', { signal });
  return secured;
}

function ignore(): void {}

/** Opens a connection to one of the addresses and to nothing else. */
export type ConnectTo = (addresses: readonly string[], port: number, signal: AbortSignal) => Promise<Socket>;

/** Tries the addresses in turn, a little time each (RFC 8305), so that a broken IPv6 does not cost the page. */
export const connectTo: ConnectTo = async (addresses, port, signal) => {
  const pinned = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  const socket = connect({
    // No name is looked up here: whatever the socket asks for, it gets the addresses that were judged.
    host: 'pinned.invalid',
    port,
    lookup: (_host, _options, answer) => answer(null, pinned),
    autoSelectFamily: true,
    signal,
  });
  await once(socket, 'connect');
  return socket;
};

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
