import type { FastifyError, FastifyInstance } from 'fastify';
import { isDatabaseUnavailable, logFailure } from '../../../kernel/log-failure.ts';
import { RealtimeError } from './realtime-error.ts';

/** Clients read `error` or `message`; `errors` names the fields. The cause stays in the log. */
export function registerErrors(app: FastifyInstance): void {
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const refusal = toRefusal(error);
    if (refusal.status >= 500) logFailure(request, refusal.cause, 'realtime request failed');
    if (refusal.status === 429) reply.header('retry-after', '1');
    const { message, errors } = refusal;
    return reply.code(refusal.status).send({ error: message, message, ...(errors && { errors }) });
  });
}

function toRefusal(error: FastifyError): RealtimeError {
  if (error instanceof RealtimeError) return error;
  if (isDatabaseUnavailable(error)) return new RealtimeError('unavailable', { cause: error });
  if (error.statusCode === 413) return new RealtimeError('too_large', { cause: error });
  if (error.statusCode === 415) return new RealtimeError('unsupported_type', { cause: error });
  if (error.statusCode !== undefined && error.statusCode < 500)
    return new RealtimeError('unprocessable', { cause: error });
  return new RealtimeError('unexpected', { cause: error });
}
