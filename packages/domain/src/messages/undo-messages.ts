/** Texts of 'Desfazer', which the specification leaves to us. */
export const UNDO_MESSAGES = {
  undo: 'Desfazer',
  undone: 'Exclusão desfeita',
  failed: 'Não conseguimos desfazer a exclusão',
  retry: 'Tentar de novo',
  expired: 'Já foi restaurado ou não está mais na Lixeira.',
  placeGone: 'A categoria ou pasta de origem não existe mais.',
  nameTaken: 'Já existe uma pasta com este nome. Renomeie-a e tente de novo.',
} as const;
