import type { FastifyRequest } from 'fastify';

/**
 * Writes down a request that failed by a fault of ours. One whose client has hung up fails as well, and looks like a connection that
 * broke; it is nobody's fault.
 */
export function logFailure(request: FastifyRequest, err: unknown, message: string): void {
  // A request without a connection (inject) knows no `destroyed`.
  if (request.raw.socket?.destroyed === true) request.log.debug({ err }, 'the client hung up');
  else request.log.error({ err }, message);
}
