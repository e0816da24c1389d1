import { formatNumber } from './format-number.ts';

/** Texts of section 8, 'Links' and 'Search', to the letter. */
export const LINK_MESSAGES = {
  created: 'Link salvo com sucesso',
  updated: 'Link atualizado com sucesso',
  deleted: 'Link excluído com sucesso',
  createFailed: 'Não foi possível salvar o link',
  updateFailed: 'Não foi possível atualizar o link',
  deleteFailed: 'Não foi possível excluir o link',
  bulkDeleteFailed: 'Não foi possível excluir os links selecionados',
  noneSelected: 'Nenhum link selecionado',
  copied: 'Link copiado para a área de transferência',
  copyFailed: 'Não foi possível copiar o link',
  noneInCategory: 'Nenhum link encontrado nesta categoria',
  notFound: 'Link não encontrado',
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
