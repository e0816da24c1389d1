import { once } from 'node:events';
import { connect, isIPv6, type Socket } from 'node:net';

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
