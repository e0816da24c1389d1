import { formatNumber } from '../formats.ts';
import { MOST_COUNTED } from '../limits.ts';
import type { OperatorKey } from '../search-question.ts';

/** How each operator is written, and what it is for. */
export const OPERATORS: Readonly<Record<OperatorKey, { readonly name: string; readonly hint: string }>> = {
  category: { name: 'em:', hint: 'de uma categoria' },
  folder: { name: 'pasta:', hint: 'de uma pasta' },
  site: { name: 'site:', hint: 'de um site, como site:exemplo.com.br' },
  kind: { name: 'tipo:', hint: 'vídeo, PDF ou imagem' },
  before: { name: 'antes:', hint: 'salvos antes de um dia, um mês ou um ano' },
  after: { name: 'depois:', hint: 'salvos depois de um dia, um mês ou um ano' },
  favorite: { name: 'é:favorito', hint: 'só os favoritos' },
  broken: { name: 'é:quebrado', hint: 'só os que não respondem mais' },
  owner: { name: 'de:', hint: 'compartilhados por alguém, como de:Maria' },
  tag: { name: 'tag:', hint: 'com uma tag' },
  untagged: { name: 'sem:tag', hint: 'só os que não têm tag' },
};

/** What the groups of the field's results are called. */
export const FIELD_GROUPS = {
  places: 'Pastas e categorias',
  tags: 'Tags',
  commands: 'Comandos',
  received: 'Compartilhados com você',
  noCommand: 'Nenhum comando com esse nome',
} as const;

/** What the page of results says of links that others share. */
export const RECEIVED_FOUND = {
  noneOfOwn: 'Nenhum dos seus links. Nos que outras pessoas compartilham com você:',
  loading: 'Buscando no que compartilham com você...',
  failed: 'Não conseguimos buscar no que compartilham com você',
} as const;

/** Where 'é:quebrado' finds nothing. */
export const NO_BROKEN = {
  title: 'Nenhum link marcado como quebrado',
  description: 'Os que pararem de responder aparecem aqui, enquanto a verificação estiver ligada.',
} as const;

export const OPERATOR_MESSAGES = {
  heading: 'Refinar a busca',
  chips: 'Filtros da busca',
  help: 'Para refinar: em:categoria, pasta:nome, site:endereço, tipo:vídeo, antes:2024, depois:03/2024, é:favorito, é:quebrado, tag:nome, sem:tag, de:pessoa.',
} as const;

/** What a chip's cross does. */
export function describeRemoval(text: string): string {
  return `Tirar ${text} da busca`;
}

const NO_DATE = 'não é uma data: escreva 31/12/2024, 12/2024 ou 2024';

/** What is wrong with a value; those that are missing here take any. */
const WRONG: Readonly<Partial<Record<OperatorKey, string>>> = {
  before: NO_DATE,
  after: NO_DATE,
  kind: 'não é um tipo: há vídeo, PDF e imagem',
  favorite: 'não existe: há é:favorito e é:quebrado',
  untagged: 'não existe: há sem:tag',
};

/** '“antes:32/13/2024” não é uma data: …' */
export function describeWrong(key: OperatorKey, text: string): string {
  return `“${text}” ${WRONG[key] ?? 'não pode ser lido'}`;
}

export function describeMissing(text: string): string {
  return `Falta dizer o que vem depois de “${text}”`;
}

export function describeRepeated(text: string): string {
  return `“${text}” não conta: só o último vale`;
}

const NO_PLACE = { folder: 'Nenhuma pasta', category: 'Nenhuma categoria', tag: 'Nenhuma tag' } as const;

/** Why an operator that names a place or a tag finds nothing. */
export function describeUnknownPlace(key: keyof typeof NO_PLACE, value: string): string {
  return `${NO_PLACE[key]} se chama “${value}”`;
}

/** Why an operator that names a person finds nothing. */
export function describeUnknownOwner(value: string): string {
  return `Ninguém chamado “${value}” compartilha com você`;
}

/** Offered where nothing was found: the same with a word spelt as the person spells it elsewhere. */
export function describeSuggestion(suggestion: string): string {
  return `Você quis dizer “${suggestion}”?`;
}

/** Above what another spelling finds. */
export function describeSuggested(suggestion: string): string {
  return `Links com “${suggestion}”`;
}

/** '12', or '999+' where counting ended. */
export function shortenTotal(total: number): string {
  return total < MOST_COUNTED ? formatNumber(total) : `${formatNumber(MOST_COUNTED - 1)}+`;
}

/** '1 link', '12 links', '999+ links'. */
export function describeTotal(total: number): string {
  return `${shortenTotal(total)} ${total === 1 ? 'link' : 'links'}`;
}
