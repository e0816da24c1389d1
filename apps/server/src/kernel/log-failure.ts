import type { FastifyRequest } from 'fastify';
import pg from 'pg';

/**
 * Writes down a request that failed by a fault of ours. One whose client has hung up fails as well, and looks like a connection that
 * broke; it is nobody's fault.
 */
export function logFailure(request: FastifyRequest, err: unknown, message: string): void {
  // A request without a connection (inject) knows no `destroyed`.
  if (request.raw.socket?.destroyed === true) request.log.debug({ err }, 'the client hung up');
  else request.log.error({ err }, message);
}

/** Classes of SQLSTATE that say "later": connection lost, out of resources, shutting down or starting up. */
const PASSING_CLASSES = /^(08|53|57P)/;
/** What a socket answers while nobody listens, or when the other side has gone. */
const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** The driver gives these no code. */
const DRIVER_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool after)/;

/** Whether the same request may succeed a moment later: answer it with 503. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return PASSING_CLASSES.test(error.code ?? '');
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return (code !== undefined && SOCKET_CODES.has(code)) || DRIVER_MESSAGES.test(error.message);
}
