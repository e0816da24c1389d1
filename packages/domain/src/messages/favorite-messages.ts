/** What every screen with a star says. */
export const FAVORITE_MESSAGES = {
  /** What a star beside a title means, read aloud. */
  mark: 'Favorito',
  add: 'Favoritar',
  remove: 'Tirar dos favoritos',
} as const;
