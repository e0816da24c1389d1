import { formatCount, formatNumber } from '../formats.ts';

/** Texts of section 8, 'Links' and 'Search', to the letter. */
export const LINK_MESSAGES = {
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

/** What an undone move says. */
export function describeMoveBack(count: number, categoryName: string): string {
  return count === 1
    ? `Link de volta em ${categoryName}`
    : `${formatNumber(count)} links de volta em ${categoryName}`;
}

/** What the form of a new link and the dialog for many say beyond section 8. */
export const ADDING_MESSAGES = {
  titleHint: 'Em branco, buscamos na página.',
  searchingTitle: 'Buscando título…',
  typeYours: 'Se preferir, digite o seu.',
  titleNotFound: 'Não encontramos o título desta página.',
  titleFromPage: 'Preenchido com o que a página diz.',
  lastUsed: 'A última que você usou.',
  noCategory: 'Para guardar links, crie antes uma categoria.',
  alreadyHere: 'Este endereço já está em',
  repeated: 'Repetido nesta lista',
  nothingChosen: 'Escolha pelo menos um link',
  manyFailed: 'Não foi possível salvar os links',
  tooManyTitles: 'Muitas buscas seguidas: os outros ficam com o nome do site.',
} as const;

/** '12 links salvos com sucesso'; one link takes the singular the catalogue already has. */
export function describeSavedLinks(count: number): string {
  return count === 1 ? LINK_MESSAGES.created : `${formatNumber(count)} links salvos com sucesso`;
}

/** How much room the plan has for a pasted list; null is unlimited. */
export function describeRoom(remaining: number | null): string | null {
  if (remaining === null) return null;
  if (remaining <= 0) return 'Seu plano não tem mais espaço para links.';
  return remaining === 1
    ? 'Cabe mais 1 link no seu plano.'
    : `Cabem mais ${formatNumber(remaining)} links no seu plano.`;
}

/** What to do when more is chosen than fits. */
export function describeExcess(excess: number): string {
  return `Desmarque ${formatCount(excess, 'link', 'links')} para salvar.`;
}

/** '3 links encontrados', how many of them are there twice, and what of the text could not be read. */
export function describePastedList(links: number, repeated: number, unreadable: number): string {
  const parts = [formatCount(links, 'link encontrado', 'links encontrados')];
  if (repeated > 0) parts.push(formatCount(repeated, 'repetido', 'repetidos'));
  if (unreadable > 0) parts.push(formatCount(unreadable, 'linha sem link', 'linhas sem link'));
  return parts.join(' · ');
}

/** A save in several requests that stopped on its way. */
export function describePartialSave(saved: number, total: number): string {
  return `${formatNumber(saved)} de ${formatNumber(total)} links foram salvos`;
}

/** Where a link stands: 'Pasta / Categoria'. */
export function describePlace(folderName: string, categoryName: string): string {
  return folderName === '' ? categoryName : `${folderName} / ${categoryName}`;
}

/** Texts of 'Desfazer', which the specification leaves to us. */
export const UNDO_MESSAGES = {
  undo: 'Desfazer',
  undone: 'Exclusão desfeita',
  failed: 'Não conseguimos desfazer a exclusão',
  retry: 'Tentar de novo',
  expired: 'O prazo para desfazer já passou.',
  placeGone: 'A categoria ou pasta de origem não existe mais.',
  nameTaken: 'Já existe uma pasta com este nome. Renomeie-a e tente de novo.',
} as const;
