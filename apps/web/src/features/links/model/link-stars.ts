import type { Link } from '../../../shared/lib/rows.ts';

/** Which links are favourites, and how one becomes one. Absent where nothing is starred: on shared pages. */
export interface LinkStars {
  /** Of links, and of what else is starred. */
  readonly ids: ReadonlySet<string>;
  readonly toggle: (link: Link) => void;
}
