import { formatCount } from '../formats.ts';
import { TAG_LIMITS } from '../tags.ts';

/** What screens say of tags. People know the word; the operator of the search is the same. */
export const TAG_MESSAGES = {
  title: 'Tags',
  lead: 'Palavras que juntam links de pastas diferentes.',
  /** The field of a link. */
  field: 'Tags (opcional)',
  fieldName: 'Tags',
  placeholder: 'Digite # ou um nome',
  fieldHint: 'Enter ou vírgula guarda cada uma.',
  suggested: 'Sugestões',
  suggestions: 'Tags sugeridas',
  full: `No máximo ${TAG_LIMITS.link} tags por link`,
  list: 'Suas tags',
  filter: 'Filtrar tags',
  clearFilter: 'Limpar filtro',
  nothingFits: 'Nenhuma tag com esse nome',
  order: { name: 'Nome, A–Z', use: 'Mais usadas' },
  orderLabel: 'Ordem das tags',
  empty: 'Nenhuma tag ainda',
  emptyHint: 'Escreva #receitas no campo Tags de um link, ou selecione vários links e aperte Tags.',
  offline: 'Sem conexão',
  offlineHint: 'Suas tags aparecem aqui quando a conexão voltar.',
  loadFailed: 'Não foi possível carregar as tags',
  loadFailedWhy: 'Tente de novo em alguns instantes.',
  rename: 'Renomear',
  renameLabel: 'Nome da tag',
  color: 'Cor',
  noColor: 'Sem cor',
  merge: 'Juntar com outra',
  mergeField: 'Buscar tag',
  remove: 'Excluir',
  renamed: 'Tag renomeada',
  renameFailed: 'Não foi possível renomear a tag',
  unnamed: 'Escreva um nome',
  colorFailed: 'Não foi possível mudar a cor',
  merged: 'Tags juntadas',
  mergeFailed: 'Não foi possível juntar as tags',
  removed: 'Tag excluída',
  removeFailed: 'Não foi possível excluir a tag',
  saved: 'Tags salvas',
  saveFailed: 'Não foi possível salvar as tags',
  /** The link itself is saved. */
  linkWithoutTags: 'O link foi salvo, mas as tags não',
  retry: 'Tente de novo.',
  undone: 'Desfeito',
  undoFailed: 'Não foi possível desfazer',
  of: 'Todos têm',
  ofSome: 'Só alguns têm',
} as const;

/** 'Tags de 3 links' */
export function titleTagging(links: number): string {
  return links === 1 ? 'Tags do link' : `Tags de ${formatCount(links, 'link', 'links')}`;
}

/** What a press on a chip does. */
export function describeTagSearch(name: string): string {
  return `Ver os links com a tag ${name}`;
}

export function describeTagRemoval(name: string): string {
  return `Tirar a tag ${name}`;
}

export function describeTagAdding(name: string): string {
  return `Dar a tag ${name}`;
}

/** 'Ações da tag receitas' */
export function describeTagMenu(name: string): string {
  return `Ações da tag ${name}`;
}

/** 'Juntar receitas com…' */
export function titleMerge(name: string): string {
  return `Juntar “${name}” com…`;
}

export function describeMerge(name: string): string {
  return `Os links de “${name}” passam para a tag que você escolher.`;
}

/** The name is another tag's: both could become one. */
export function describeTakenTag(name: string): string {
  return `Já existe a tag “${name}”`;
}

export const MERGE_INSTEAD = 'Juntar as duas';

/** Of tags that do not fit on a card. */
export function describeMoreTags(names: readonly string[]): string {
  return `Mais ${formatCount(names.length, 'tag', 'tags')}: ${names.join(', ')}`;
}

/** '1.204 links' */
export function describeTagUse(links: number): string {
  return links === 0 ? 'Nenhum link' : formatCount(links, 'link', 'links');
}
