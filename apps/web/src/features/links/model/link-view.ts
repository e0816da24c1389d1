/** How a list of links is drawn: cards, rows, or cards with the page's own image. */
export type LinkView = 'grid' | 'list' | 'covers';

/** In the order of their buttons and of the key that goes from one to the next. */
export const LINK_VIEWS: readonly [LinkView, ...LinkView[]] = ['grid', 'list', 'covers'];

/** Where the choice is remembered in this browser. */
export const LINK_VIEW_KEY = 'linkoteca-link-view';

export function viewAfter(view: LinkView): LinkView {
  return LINK_VIEWS[(LINK_VIEWS.indexOf(view) + 1) % LINK_VIEWS.length] ?? LINK_VIEWS[0];
}
