import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import pg from 'pg';
import { isDatabaseUnavailable, logFailure } from '../../kernel/log-failure.ts';
import { AuthError, OAuthError } from './auth-error.ts';
import { API_VERSION_HEADER, presentError } from './present/present-error.ts';
import type { Route } from './routes.ts';

/** Gives every failure below the service's prefix the service's own shape, unknown paths and methods included. */
export function registerErrors(server: FastifyInstance, routes: readonly Route[]): void {
  server.setErrorHandler((error, request, reply) => {
    const failure = toFailure(error as FastifyError);
    if (failure instanceof AuthError && failure.status >= 500)
      logFailure(request, error, 'auth: unexpected failure');
    return sendError(request, reply, failure);
  });
  // Whoever serves the pages of the web app answers any other GET: below our prefix, unknown paths are ours.
  server.route({ method: ['GET', 'HEAD'], url: '/*', handler: (_request, reply) => reply.callNotFound() });
  server.setNotFoundHandler((request, reply) => {
    const path = request.url.slice(server.prefix.length).split('?')[0] ?? '';
    const allow = routes.filter((route) => isAt(route, path)).map((route) => route.method);
    const failure =
      allow.length > 0 ? new AuthError('method_not_allowed', { allow }) : new AuthError('not_found');
    return sendError(request, reply, failure);
  });
}

function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  failure: AuthError | OAuthError,
): FastifyReply {
  const asked = request.headers[API_VERSION_HEADER];
  const { status, headers, body } = presentError(
    failure,
    Array.isArray(asked) ? asked[0] : asked,
    request.id,
  );
  return reply.code(status).headers(headers).header('cache-control', 'no-store').send(body);
}

function isAt({ path }: Route, asked: string): boolean {
  const [wanted, given] = [path.split('/'), asked.split('/')];
  return (
    wanted.length === given.length && wanted.every((part, at) => part.startsWith(':') || part === given[at])
  );
}

/** What an error that is none of ours means to the client; its own words stay in the log. */
function toFailure(error: FastifyError): AuthError | OAuthError {
  if (error instanceof AuthError || error instanceof OAuthError) return error;
  // The official client tries again on its own after such a status.
  if (isDatabaseUnavailable(error)) return new AuthError('unexpected_failure', { status: 503, cause: error });
  if (error instanceof pg.DatabaseError) return fromDatabase(error);
  const { statusCode = 500 } = error;
  if (statusCode === 413) return new AuthError('request_entity_too_large', { cause: error });
  if (statusCode >= 400 && statusCode < 500)
    return new AuthError('validation_failed', { status: statusCode, message: error.message, cause: error });
  return new AuthError('unexpected_failure', { cause: error });
}

/** SQLSTATE classes (Postgres manual, appendix A). */
function fromDatabase(error: pg.DatabaseError): AuthError {
  const { code = '', constraint } = error;
  if (constraint === 'users_email_partial_key') return new AuthError('email_exists', { cause: error });
  if (code.startsWith('22')) return new AuthError('validation_failed', { cause: error });
  // Somebody else changed the same rows at the same moment.
  if (code.startsWith('40') || code === '55P03' || code === '23505' || code === '23503')
    return new AuthError('conflict', { cause: error });
  if (code === '57014') return new AuthError('request_timeout', { cause: error });
  return new AuthError('unexpected_failure', { cause: error });
}
