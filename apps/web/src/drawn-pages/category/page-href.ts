import { type SharedCategory, type SharedView, sharedPath } from '@linkoteca/domain/sharing';

interface PagePlace {
  readonly view?: SharedView;
  readonly before?: string | null;
}

/** The address of one page of a category. Cards and the newest links are what the bare address shows. */
export function pageHref(
  category: SharedCategory,
  { view = 'cards', before = null }: PagePlace = {},
): string {
  const query = new URLSearchParams({
    ...(view === 'list' ? { view } : {}),
    ...(before === null ? {} : { before }),
  });
  return `${sharedPath(category)}${query.size === 0 ? '' : `?${query}`}`;
}

/** The same category in the web app, which knows who is signed in and reads all of its links: to copy it into a folder, or to filter it. */
export function appHref(category: SharedCategory, to?: 'copy' | 'filter'): string {
  return `${sharedPath(category)}?app=1${to === undefined ? '' : `&${to}=1`}`;
}
