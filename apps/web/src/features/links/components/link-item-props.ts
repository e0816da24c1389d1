import type { Link } from '@linkoteca/domain/entities';

/** What a card or a row needs. It has no callbacks: the list listens for all of its items at once. */
export interface LinkItemProps {
  readonly link: Link;
  readonly selecting: boolean;
  readonly selected: boolean;
  /** The one item that Tab reaches. */
  readonly tabStop: boolean;
  readonly menuOpen: boolean;
}
