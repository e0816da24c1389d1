import type { OperatorKey, SearchOperator } from '../search-question.ts';

/** How each operator is written, and what it is for. */
export const OPERATORS: readonly {
  readonly key: OperatorKey;
  readonly name: string;
  readonly hint: string;
}[] = [
  { key: 'category', name: 'em:', hint: 'de uma categoria' },
  { key: 'folder', name: 'pasta:', hint: 'de uma pasta' },
  { key: 'site', name: 'site:', hint: 'de um site, como site:exemplo.com.br' },
  { key: 'kind', name: 'tipo:', hint: 'vídeo, pdf ou imagem' },
  { key: 'before', name: 'antes:', hint: 'salvos antes de um dia, um mês ou um ano' },
  { key: 'after', name: 'depois:', hint: 'salvos depois de um dia, um mês ou um ano' },
  { key: 'favorite', name: 'é:favorito', hint: 'só os favoritos' },
];

export const OPERATOR_MESSAGES = {
  heading: 'Refinar a busca',
  chips: 'Filtros da busca',
  help: 'Para refinar: em:categoria, pasta:nome, site:endereço, tipo:vídeo, antes:2024, depois:03/2024, é:favorito.',
} as const;

/** What a chip's cross does. */
export function describeRemoval(text: string): string {
  return `Tirar ${text} da busca`;
}

/** Why an operator does not count; null where it does. */
export function describeProblem({ key, text, state, value }: SearchOperator): string | null {
  switch (state) {
    case 'accepted':
      return null;
    case 'repeated':
      return `“${text}” não conta: só o último vale`;
    case 'incomplete':
      if (value === '') return `Falta dizer o que vem depois de “${text}”`;
      break;
    default:
  }
  switch (key) {
    case 'before':
    case 'after':
      return `“${text}” não é uma data: escreva 31/12/2024, 12/2024 ou 2024`;
    case 'kind':
      return `“${text}” não é um tipo: há vídeo, pdf e imagem`;
    case 'favorite':
      return `“${text}” não existe: há é:favorito`;
    default:
      return `“${text}” não é um site`;
  }
}

/** Why an operator that names a place finds nothing. */
export function describeUnknownPlace(key: 'folder' | 'category', value: string): string {
  return key === 'folder' ? `Nenhuma pasta se chama “${value}”` : `Nenhuma categoria se chama “${value}”`;
}

/** Offered where nothing was found: the same with a word spelt as the person spells it elsewhere. */
export function describeSuggestion(suggestion: string): string {
  return `Você quis dizer “${suggestion}”?`;
}

/** Above what another spelling finds. */
export function describeSuggested(suggestion: string): string {
  return `Links com “${suggestion}”`;
}
