import type { Link } from '@linkoteca/domain/entities';

/** What a card or a row needs. The callbacks are stable, so that a memoised item renders only when its link changes. */
export interface LinkItemProps {
  readonly link: Link;
  readonly selecting: boolean;
  readonly selected: boolean;
  readonly menuOpen: boolean;
  readonly onToggle: (id: string, range: boolean) => void;
  readonly onMenu: (anchor: Element, link: Link) => void;
}
