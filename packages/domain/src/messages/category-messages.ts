/** Texts of section 8, 'Categories' and 'Access', to the letter. */
export const CATEGORY_MESSAGES = {
  created: 'Categoria criada com sucesso',
  updated: 'Categoria atualizada com sucesso',
  deleting: 'Excluindo categoria...',
  deleted: 'Categoria excluída com sucesso',
  createFailed: 'Não foi possível criar a categoria',
  updateFailed: 'Não foi possível atualizar a categoria',
  // Two readings in the specification; decisions.md settles on this one.
  deleteFailed: 'Erro ao excluir categoria',
  loadOneFailed: 'Erro ao carregar dados da categoria',
  loadFailed: 'Não foi possível carregar suas categorias',
  notFound: 'Categoria não encontrada',
  notFoundOrForbidden: 'Categoria não encontrada ou acesso não autorizado',
  shared: 'Categoria compartilhada com sucesso',
  unshared: 'Compartilhamento removido com sucesso',
  shareFailed: 'Não foi possível compartilhar a categoria',
  unshareFailed: 'Não foi possível remover o compartilhamento',
  moveFailed: 'Não foi possível mover a categoria',
  moveUndoFailed: 'Não foi possível desfazer a mudança',
} as const;

/** 'Categoria movida para {pasta}'. */
export function describeCategoryMove(folderName: string): string {
  return `Categoria movida para ${folderName}`;
}

/** What an undone move says. */
export function describeCategoryMoveBack(folderName: string): string {
  return `Categoria de volta em ${folderName}`;
}
