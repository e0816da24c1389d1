import type { FastifyError, FastifyInstance } from 'fastify';
import { isDatabaseUnavailable, logFailure } from '../../../kernel/log-failure.ts';

const CATALOGUE = {
  unauthorized: { status: 401, message: 'Unauthorized' },
  forbidden: {
    status: 403,
    message: 'You do not have permissions to write to this Channel topic',
  },
  too_large: { status: 413, message: 'Payload size exceeded' },
  unsupported_type: {
    status: 415,
    message: 'Content-Type must be application/json or application/octet-stream',
  },
  unprocessable: { status: 422, message: 'Unprocessable Entity' },
  too_many: { status: 429, message: 'You have exceeded your rate limit' },
  unavailable: { status: 503, message: 'Realtime was unable to connect to the project database' },
  unexpected: { status: 500, message: 'Unexpected error' },
} as const;

export type RealtimeErrorCode = keyof typeof CATALOGUE;
/** What is wrong with each field, as upstream lists it. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

export type RealtimeErrorOptions = {
  readonly message?: string;
  readonly errors?: FieldErrors;
  readonly cause?: unknown;
};

/** The service's refusals over HTTP: a closed catalogue, thrown once, rendered in one place. */
export class RealtimeError extends Error {
  readonly status: number;
  readonly errors: FieldErrors | undefined;

  constructor(code: RealtimeErrorCode, options: RealtimeErrorOptions = {}) {
    const { status, message } = CATALOGUE[code];
    super(options.message ?? message, { cause: options.cause });
    this.status = status;
    this.errors = options.errors;
  }
}

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
