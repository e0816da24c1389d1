import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { networkOf } from '../network-of.ts';

/**
 * Closes the connections of one network beyond `most` at once: each costs a file descriptor, used or not. Behind a proxy all
 * come from the proxy, which has such a limit itself.
 */
export function limitConnections(app: FastifyInstance, most: number): void {
  const open = new Map<string, number>();
  app.server.on('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? '');
    const count = (open.get(network) ?? 0) + 1;
    open.set(network, count);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
    if (count > most) socket.destroy();
  });
}
