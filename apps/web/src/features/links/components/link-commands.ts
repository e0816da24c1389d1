import type { Link } from '@linkoteca/domain/entities';

/** What can be done with a link of the list; null where the links belong to someone else. */
export interface LinkCommands {
  readonly openMenu: (anchor: Element, link: Link) => void;
  readonly edit: ((link: Link) => void) | null;
  readonly info: (link: Link) => void;
  readonly copy: (link: Link) => void;
  /** Deletes the picked links, or this one when none is picked. */
  readonly remove: ((link: Link) => void) | null;
}
