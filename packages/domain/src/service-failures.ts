import { FIELD_LIMITS } from './limits.ts';

/** Why an action failed, as far as a person can be told. */
type ServiceFailure =
  /** The row is not there (any more), or not one's own. */
  | { readonly kind: 'not_found' }
  /** The folder or category it should have gone into is not there (any more). */
  | { readonly kind: 'place_not_found' }
  /** A rule of the data refused it; `detail` names the rule where it is known. */
  | { readonly kind: 'invalid'; readonly detail: string | null }
  /** The service broke. */
  | { readonly kind: 'failed' }
  | { readonly kind: 'timed_out' }
  /** The request went out without a session. */
  | { readonly kind: 'signed_out' }
  /** The token was refused. */
  | { readonly kind: 'token_refused' }
  | { readonly kind: 'unknown' };

const DETAILS: Readonly<Record<string, string>> = {
  folders_name_length: `O nome da pasta deve ter no máximo ${FIELD_LIMITS.folderName} caracteres`,
  folders_name_trimmed: 'O nome da pasta é obrigatório',
  categories_name_length: `O nome da categoria deve ter no máximo ${FIELD_LIMITS.categoryName} caracteres`,
  categories_name_trimmed: 'O nome da categoria é obrigatório',
  categories_description_length: `A descrição deve ter no máximo ${FIELD_LIMITS.categoryDescription} caracteres`,
  links_title_length: `O título deve ter no máximo ${FIELD_LIMITS.linkTitle} caracteres`,
  links_title_not_blank: 'O título é obrigatório',
  links_description_length: `A descrição deve ter no máximo ${FIELD_LIMITS.linkDescription} caracteres`,
  links_url_length: `A URL deve ter no máximo ${FIELD_LIMITS.linkUrl} caracteres`,
  links_url_is_http: 'URL inválida',
};

/** Codes that mean one thing, of the table API (PGRST…), of the database and of its functions (PT…). */
const KINDS: Readonly<Record<string, Exclude<ServiceFailure['kind'], 'invalid'>>> = {
  PT404: 'not_found',
  PT409: 'place_not_found',
  '23503': 'place_not_found',
  '42501': 'signed_out',
  PGRST301: 'token_refused',
  PGRST302: 'token_refused',
  PGRST303: 'token_refused',
  PGRST003: 'timed_out',
  '57014': 'timed_out',
};

/** Classes of SQLSTATE, and codes of the table API, that stand for refused data (400) … */
const INVALID = /^(22...|23502|23514|PT400|PGRST10[02])$/;
/** … and for a broken service (500, 503). */
const FAILED = /^((08|25|40|53|54|55|57|58|XX)...|PGRST00[012]|PGRST1(11|12|21)|PGRSTX00)$/;

/**
 * Reads what a call of the table API threw. An error without a code that the table client made (`PostgrestError`) is the
 * page of a gateway in front of a service that is down.
 */
export function readServiceFailure(error: unknown): ServiceFailure {
  if (typeof error !== 'object' || error === null) return { kind: 'unknown' };
  const { code, message, name } = error as { code?: unknown; message?: unknown; name?: unknown };
  if (name === 'TimeoutError') return { kind: 'timed_out' };
  if (typeof code !== 'string' || code === '') {
    return { kind: name === 'PostgrestError' ? 'failed' : 'unknown' };
  }
  const kind = Object.hasOwn(KINDS, code) ? KINDS[code] : undefined;
  if (kind !== undefined) return { kind };
  if (INVALID.test(code)) return { kind: 'invalid', detail: findDetail(String(message)) };
  return { kind: FAILED.test(code) ? 'failed' : 'unknown' };
}

/** A refusal names the constraint in quotes, last of all names: `… violates check constraint "links_url_is_http"`. */
function findDetail(message: string): string | null {
  const constraint = /"([a-z_]+)"$/.exec(message)?.[1] ?? '';
  return Object.hasOwn(DETAILS, constraint) ? (DETAILS[constraint] ?? null) : null;
}
