/** Texts of section 8, 'Folders', to the letter. */
export const FOLDER_MESSAGES = {
  created: 'Pasta criada com sucesso',
  updated: 'Pasta atualizada com sucesso',
  deleting: 'Excluindo pasta...',
  deleted: 'Pasta excluída com sucesso',
  createFailed: 'Não foi possível criar a pasta',
  updateFailed: 'Não foi possível atualizar a pasta',
  deleteFailed: 'Não foi possível excluir a pasta',
  loadOneFailed: 'Erro ao carregar dados da pasta',
  listFailed: 'Erro ao carregar pastas',
  loadFailed: 'Não foi possível carregar suas pastas',
  nameTaken: 'Já existe uma pasta com este nome',
  notFound: 'Pasta não encontrada',
} as const;
