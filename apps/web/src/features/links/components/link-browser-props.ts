import type { ReactNode } from 'react';
import type { Link } from '../../../shared/lib/rows.ts';
import type { Deletion } from '../../../shared/lib/writes/deletion.ts';
import type { CategoryGroup } from '../model/category-groups.ts';
import type { LinkAllowance } from '../model/link-allowance.ts';
import type { BeginCountLinks } from '../model/link-rows.ts';
import type { LinkStars } from '../model/link-stars.ts';
import type { LinkTagging } from '../model/link-tagging.ts';
import type { CreatePlace } from '../model/new-category.ts';
import type { OwnOrder } from '../model/ordering/own-order.ts';
import type { ShownLink } from '../model/use-shown-link.ts';

/** Links that shall go to another category, which is still to be chosen. */
export interface LinkMoveRequest {
  readonly links: readonly Link[];
  /** A category was chosen; a list of one category does not show them any more. */
  readonly onMoved: () => void;
  /** Where the keyboard goes when the links it was on are gone; null leaves it to the page. */
  readonly focusAfter: () => HTMLElement | null;
}

export interface LinkBrowserProps {
  readonly category: { readonly id: string; readonly name: string; readonly linkCount: number | null };
  /** Name and description of the category; the toolbar stands beside it. */
  readonly header: ReactNode;
  /** True where the person may not change the links. */
  readonly readOnly: boolean;
  /** False where they belong to someone else, who may let the person change them. */
  readonly isOwn: boolean;
  readonly groups: readonly CategoryGroup[];
  readonly allowance: LinkAllowance | null;
  readonly beginCountLinks: BeginCountLinks;
  readonly order: OwnOrder;
  /** The link that someone chose to see; null when they came for the category. */
  readonly shown: ShownLink | null;
  readonly stars: LinkStars;
  /** What the list does with tags; null until its code is here. */
  readonly tagging: LinkTagging | null;
  /** The form of a link opens or closes: until then nothing may take it away, whatever becomes of the category. */
  readonly onEditing: (editing: boolean) => void;
  /** Asks who may see the category; null where that is not the person's to say. */
  readonly onShare: (() => void) | null;
  /** What the plan lacks for it; null where it lacks nothing. */
  readonly shareLock: string | null;
  /** Stands beside that button: other ways to share. */
  readonly shareMenu: ReactNode;
  /** Asks for the form of a new link. */
  readonly onAdd: () => void;
  /** Says how a deletion ends, and offers the way back. */
  readonly onDelete: (deletion: Deletion) => void;
  /** Asks where links shall go. */
  readonly onMove: (request: LinkMoveRequest) => void;
  /** Makes a category for a link that shall go there. */
  readonly createPlace: CreatePlace;
}
