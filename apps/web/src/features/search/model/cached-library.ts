import type { Link } from '../../../shared/lib/rows.ts';

/** What the browser has already read of a person's library: search answers from it before the service does. */
export interface CachedLibrary {
  readonly folders: readonly CachedFolder[];
  /** One's own links as far as they were read, in lists that are newest first. Asked for at each key press. */
  readonly listLinks: () => readonly (readonly Link[])[];
  /** Names of those who share something with this person, as far as is known. */
  readonly listOwners?: () => readonly string[];
  /** Whether a link is a favourite, as far as is known. */
  readonly isFavorite: (linkId: string) => boolean;
  /** One's own tags, as far as they were read. */
  readonly listTags: () => readonly CachedTag[];
}

export interface CachedTag {
  readonly id: string;
  readonly name: string;
}

export interface CachedFolder {
  readonly id: string;
  readonly name: string;
  readonly categories: readonly { readonly id: string; readonly name: string }[];
}
