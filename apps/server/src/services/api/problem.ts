import type { FastifyError } from 'fastify';
import pg from 'pg';
import { isDatabaseUnavailable } from '../../kernel/log-failure.ts';

/**
 * What can be wrong with a request. Titles are for whoever writes a program, and never change; details are for the person before the
 * screen, in the words of the product's own screens.
 */
export const PROBLEMS = {
  missing_token: [401, 'Authentication required', 'Envie um token no cabeçalho Authorization.'],
  invalid_token: [401, 'Invalid token', 'O token é desconhecido, terminou ou é de outro servidor.'],
  insufficient_scope: [403, 'Insufficient scope', 'Este token não pode fazer isso.'],
  limit_reached: [403, 'Limit reached', 'O limite do plano foi atingido.'],
  invalid_request: [400, 'Invalid request', 'O pedido está malformado.'],
  invalid_content: [422, 'Invalid content', 'O conteúdo enviado não pode ser salvo.'],
  not_found: [404, 'Not found', 'Isso não existe, ou não é mostrado a você.'],
  method_not_allowed: [405, 'Method not allowed', 'Esse endereço não aceita esse método.'],
  already_exists: [409, 'Already exists', 'Já existe algo com esse nome.'],
  key_reused: [422, 'Idempotency key reused', 'Esta Idempotency-Key já foi usada com outro pedido.'],
  too_large: [413, 'Content too large', 'O pedido é grande demais.'],
  unsupported_media_type: [415, 'Unsupported media type', 'Envie JSON, com Content-Type: application/json.'],
  too_many_requests: [429, 'Too many requests', 'Muitos pedidos em pouco tempo. Espere um instante.'],
  unexpected: [500, 'Unexpected failure', 'Erro interno do servidor.'],
  unavailable: [503, 'Unavailable', 'O servidor não pode atender agora; tente de novo em instantes.'],
} as const satisfies Readonly<Record<string, readonly [status: number, title: string, detail: string]>>;

export type ProblemCode = keyof typeof PROBLEMS;

/** A part of the content that is wrong: where (RFC 6901, as a fragment), and why. */
export type ContentFault = { readonly pointer: string; readonly detail: string };

type Details = {
  readonly detail?: string | undefined;
  readonly errors?: readonly ContentFault[] | undefined;
  /** Further headers of the answer. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
};

/** A refusal, thrown where it is found and presented at the service's edge. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly details: Details;

  constructor(code: ProblemCode, details: Details = {}) {
    super(details.detail ?? PROBLEMS[code][2]);
    this.code = code;
    this.details = details;
  }
}

/** Body of a refusal (RFC 9457). @param site address of the installation, without a slash at its end */
export function presentProblem({ code, message, details }: Problem, site: string) {
  const [status, title] = PROBLEMS[code];
  const { errors } = details;
  return {
    type: `${site}/api/v1/docs#${code}`,
    title,
    status,
    detail: message,
    code,
    ...(errors === undefined ? {} : { errors }),
  };
}

const UNIQUE_NAMES: Readonly<Record<string, string>> = {
  folders_name_unique_per_user: 'Já existe uma pasta com esse nome',
  tags_name_unique_per_user: 'Já existe uma tag com esse nome',
};

const MISSING_PLACES: Readonly<Record<string, ContentFault>> = {
  links_category_of_same_owner: { pointer: '#/category_id', detail: 'Categoria não encontrada' },
  categories_folder_of_same_owner: { pointer: '#/folder_id', detail: 'Pasta não encontrada' },
};

/** Names of the statuses that our own functions raise on purpose (`PT…`, as the table API reads them). */
const RAISED: Readonly<Record<string, ProblemCode>> = {
  PT400: 'invalid_content',
  PT401: 'invalid_token',
  PT403: 'insufficient_scope',
  PT404: 'not_found',
  PT409: 'already_exists',
  PT429: 'too_many_requests',
};

const IN_A_MOMENT = { headers: { 'retry-after': '1' } };

/** What a caller is told of an error. Whatever nobody thought of is `unexpected`, and its words stay in the log. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (isDatabaseUnavailable(error)) return new Problem('unavailable', IN_A_MOMENT);
  if (error instanceof pg.DatabaseError) return ofDatabase(error);
  const { statusCode = 500 } = error as Partial<FastifyError>;
  if (statusCode === 413) return new Problem('too_large');
  if (statusCode === 415) return new Problem('unsupported_media_type');
  if (statusCode === 404) return new Problem('not_found');
  if (statusCode === 503) return new Problem('unavailable', IN_A_MOMENT);
  return new Problem(statusCode >= 400 && statusCode < 500 ? 'invalid_request' : 'unexpected');
}

function ofDatabase({ code = '', message, constraint = '' }: pg.DatabaseError): Problem {
  const raised = RAISED[code];
  if (raised === 'too_many_requests')
    return new Problem(raised, { detail: message, headers: { 'retry-after': '3600' } });
  if (raised !== undefined) return new Problem(raised, { detail: message });
  if (code === 'P0001') return new Problem('limit_reached', { detail: message });
  if (code === '23505') return new Problem('already_exists', { detail: UNIQUE_NAMES[constraint] });
  if (code === '23503') {
    const missing = MISSING_PLACES[constraint];
    return new Problem('invalid_content', { detail: missing?.detail, errors: missing && [missing] });
  }
  // A text that is too long, empty, or that Postgres cannot keep.
  if (/^(23514|22001|22021|22P05)$/.test(code)) return new Problem('invalid_content');
  if (code === '42501') return new Problem('insufficient_scope');
  // Cut off, or chosen among those that waited for each other: nothing was done.
  if (/^(57014|40001|40P01|55P03)$/.test(code)) return new Problem('unavailable', IN_A_MOMENT);
  return new Problem('unexpected');
}
