import { FIELD_LIMITS } from './limits.ts';
import { CATEGORY_MESSAGES, FOLDER_MESSAGES } from './messages/category-messages.ts';
import { LINK_MESSAGES } from './messages/link-messages.ts';

/** What a service says of an action that it refused: section 8, 'Service errors'. */
export interface ServiceWords {
  /** 404: what the action was about is not there (any more). */
  readonly notFound: string;
  /** More to say of it when it was there a moment ago. */
  readonly gone: string;
  /** It changed elsewhere, and reading how failed. */
  readonly unread: string;
  /** What it should have gone into is not there (any more). */
  readonly placeNotFound: string;
  /** 400: refused by a rule of the data. */
  readonly invalid: string;
  /** 500: the service itself failed. */
  readonly failed: string;
  /** The screen's own text, when nothing is known of what went wrong. */
  readonly unknown: string;
}

type Names = Pick<ServiceWords, 'notFound' | 'gone' | 'unread' | 'placeNotFound'>;

const folder: Names = {
  notFound: FOLDER_MESSAGES.notFound,
  gone: 'A pasta foi excluída em outro lugar.',
  unread: FOLDER_MESSAGES.loadOneFailed,
  placeNotFound: FOLDER_MESSAGES.notFound,
};
const category: Names = {
  notFound: CATEGORY_MESSAGES.notFound,
  gone: 'A categoria foi excluída em outro lugar.',
  unread: CATEGORY_MESSAGES.loadOneFailed,
  placeNotFound: FOLDER_MESSAGES.notFound,
};
const link: Names = {
  notFound: LINK_MESSAGES.notFound,
  gone: 'O link foi excluído em outro lugar.',
  unread: 'Erro ao carregar dados do link',
  placeNotFound: CATEGORY_MESSAGES.notFound,
};

const words = (names: Names, invalid: string, failed: string, unknown = failed): ServiceWords => ({
  ...names,
  invalid,
  failed,
  unknown,
});

/**
 * Texts to the letter. 'Erro ao excluir categoria' is the title of its toast already. The catalogue has none for refused data of a category, which
 * follow those of a folder.
 */
export const SERVICE_WORDS = {
  folder: {
    create: words(folder, 'Dados inválidos para criação de pasta', 'Erro ao criar pasta'),
    update: words(folder, 'Dados inválidos para atualização de pasta', 'Erro ao atualizar pasta'),
    delete: words(folder, 'Erro ao excluir pasta', 'Erro ao excluir pasta'),
  },
  category: {
    create: words(category, 'Dados inválidos para criação de categoria', 'Erro ao criar categoria'),
    update: words(category, 'Dados inválidos para atualização de categoria', 'Erro ao atualizar categoria'),
    share: words(category, 'Email inválido', CATEGORY_MESSAGES.shareFailed),
    unshare: words(category, CATEGORY_MESSAGES.unshareFailed, CATEGORY_MESSAGES.unshareFailed),
  },
  link: {
    create: words(
      link,
      'Dados inválidos para criação de link',
      'Erro ao criar link',
      'Erro ao adicionar link',
    ),
    update: words(link, 'Dados inválidos para atualização de link', 'Erro ao atualizar link'),
    delete: words(link, 'Erro ao excluir links', 'Erro ao excluir links'),
    deleteMany: words(
      link,
      'Nenhum link para excluir',
      'Erro ao excluir links',
      'Erro ao excluir os links selecionados',
    ),
  },
} as const satisfies Record<string, Record<string, ServiceWords>>;

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
