/** What the list of favourites says, and what becomes of a press on a star. */
export const FAVORITE_LIST_MESSAGES = {
  group: 'Favoritos',
  added: 'Adicionado aos favoritos.',
  removed: 'Tirado dos favoritos.',
  addFailed: 'Não foi possível favoritar',
  removeFailed: 'Não foi possível tirar dos favoritos',
  tryAgain: 'Tente de novo em instantes.',
} as const;

/** The button that takes one out. */
export function describeFavoriteRemoval(name: string): string {
  return `Tirar ${name} dos favoritos`;
}
