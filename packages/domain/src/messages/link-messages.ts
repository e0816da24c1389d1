import { formatNumber } from '../formats.ts';

/** Texts of section 8, 'Links' and 'Search', to the letter. */
export const LINK_MESSAGES = {
  invalidUrl: 'URL inválida',
  created: 'Link salvo com sucesso',
  updated: 'Link atualizado com sucesso',
  deleting: 'Excluindo link...',
  deletingMany: 'Excluindo links...',
  deleted: 'Link excluído com sucesso',
  createFailed: 'Não foi possível salvar o link',
  updateFailed: 'Não foi possível atualizar o link',
  deleteFailed: 'Não foi possível excluir o link',
  bulkDeleteFailed: 'Não foi possível excluir os links selecionados',
  bulkDeleteMissing: 'Função de exclusão múltipla não disponível',
  noneToDelete: 'Nenhum link para excluir',
  noneSelected: 'Nenhum link selecionado',
  copied: 'Link copiado para a área de transferência',
  copyFailed: 'Não foi possível copiar o link',
  noneInCategory: 'Nenhum link encontrado nesta categoria',
  notFound: 'Link não encontrado',
  moveFailed: 'Não foi possível mover o link',
  bulkMoveFailed: 'Não foi possível mover os links selecionados',
  moveUndoFailed: 'Não foi possível desfazer a mudança',
} as const;

export const SEARCH_MESSAGES = {
  placeholder: 'Buscar links...',
  heading: 'Resultados da busca',
  empty: 'Nenhum resultado encontrado',
  unknownCategory: 'Categoria desconhecida',
  failed: { title: 'Erro na busca', description: 'Não foi possível realizar a busca. Tente novamente.' },
} as const;

/** '{n} links excluídos com sucesso'; one link takes the singular the catalogue already has. */
export function describeBulkDeletion(count: number): string {
  return count === 1 ? LINK_MESSAGES.deleted : `${formatNumber(count)} links excluídos com sucesso`;
}

/** Below a bulk action of which only a part went through: what did not. */
export function describeLeftOver(count: number): string {
  return count === 1 ? 'Faltou 1 link.' : `Faltaram ${formatNumber(count)} links.`;
}

/** 'Link movido para {categoria}' or '{n} links movidos para {categoria}'. */
export function describeMove(count: number, categoryName: string): string {
  return count === 1
    ? `Link movido para ${categoryName}`
    : `${formatNumber(count)} links movidos para ${categoryName}`;
}

/** What an undone move says; null where the links were in several categories. */
export function describeMoveBack(count: number, categoryName: string | null): string {
  if (categoryName === null) return `${formatNumber(count)} links de volta às suas categorias`;
  return count === 1
    ? `Link de volta em ${categoryName}`
    : `${formatNumber(count)} links de volta em ${categoryName}`;
}
