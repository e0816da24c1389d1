import type { Link } from '@linkoteca/domain/entities';

/** What the browser has already read of a person's library: search answers from it before the service does. */
export interface HeldLibrary {
  readonly folders: readonly HeldFolder[];
  /** One's own links as far as they were read, in lists that are newest first. Asked for at each key press. */
  readonly listLinks: () => readonly (readonly Link[])[];
}

export interface HeldFolder {
  readonly id: string;
  readonly name: string;
  readonly categories: readonly { readonly id: string; readonly name: string }[];
}
