export const SAVED_SEARCH_MESSAGES = {
  group: 'Buscas salvas',
  save: 'Guardar busca',
  /** The same button, once it is kept. */
  kept: 'Busca salva',
  takeOut: 'Tirar das buscas salvas',
  saved: 'Busca salva',
  savedWhere: 'Está na barra lateral, em Buscas salvas.',
  giveName: 'Dar outro nome',
  already: 'Esta busca já está salva',
  saveFailed: 'Não foi possível salvar a busca',
  rename: 'Renomear',
  renameTitle: 'Renomear busca',
  nameLabel: 'Nome da busca',
  nameMissing: 'Dê um nome à busca',
  nameTooLong: 'O nome tem no máximo 100 caracteres',
  renamed: 'Busca renomeada',
  renameFailed: 'Não foi possível renomear a busca',
  follow: 'Acompanhar por RSS',
  remove: 'Excluir',
  removed: 'Busca excluída',
  removeFailed: 'Não foi possível excluir a busca',
  back: 'Busca de volta',
  backFailed: 'Não foi possível trazer a busca de volta',
  tryAgain: 'Tente de novo em instantes.',
} as const;

/** The button of a row's menu. */
export function describeSearchActions(name: string): string {
  return `Ações da busca ${name}`;
}
