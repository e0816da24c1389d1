import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseUnavailable, logFailure } from '../log-failure.ts';
import { describeProblem } from './answer-unknown-path.ts';

const MESSAGES: Readonly<Record<number, string>> = {
  400: 'O pedido está malformado',
  403: 'Acesso negado',
  404: 'Esse caminho não existe',
  408: 'O pedido demorou demais para chegar',
  413: 'O pedido é grande demais',
  415: 'Esse tipo de conteúdo não é aceito',
  503: 'O banco de dados não responde agora; tente de novo em instantes',
};

/**
 * The last place an error can reach: what the services have not rendered in their own shape. The caller learns the kind
 * of fault, the log its cause.
 */
export function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const status = isDatabaseUnavailable(error) ? 503 : (error.statusCode ?? 500);
  if (status >= 500) logFailure(request, error, 'request failed');
  if (status === 503) reply.header('retry-after', '1');
  const message =
    MESSAGES[status] ?? (status < 500 ? 'O pedido não pôde ser atendido' : 'Erro interno do servidor');
  // What is refused now may be there in a moment.
  reply.header('cache-control', 'no-store');
  return reply.code(status).send(describeProblem(status, toCode(status), message));
}

function toCode(status: number): string {
  if (status === 503) return 'unavailable';
  if (status >= 500) return 'unexpected_failure';
  return status === 404 ? 'not_found' : 'bad_request';
}
