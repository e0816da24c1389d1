import type { CategoryGroup } from '../../model/category-groups.ts';
import type { LinkAllowance } from '../../model/link-allowance.ts';
import type { KeepForLater } from '../../model/link-for-later.ts';
import type { BeginCountLinks } from '../../model/link-rows.ts';
import type { CreatePlace } from '../../model/new-category.ts';

export interface PasteManyDialogProps {
  readonly open: boolean;
  /** What was pasted; empty asks for it. */
  readonly text: string;
  /** The links go to somebody else's folder: a file of bookmarks may stand for the text, as there is no import, and their plan has the room. */
  readonly isTheirs?: boolean | undefined;
  /** The person's own category on the screen; null on other pages. */
  readonly categoryId: string | null;
  readonly groups: readonly CategoryGroup[];
  readonly allowance: LinkAllowance | null;
  readonly beginCountLinks: BeginCountLinks;
  /** Makes a category for the links. */
  readonly createPlace: CreatePlace;
  /** There is no category yet: the links make the one that they go to. */
  readonly empty?: boolean | undefined;
  /** Keeps new links on this device while the services cannot be reached. */
  readonly keepForLater?: KeepForLater | undefined;
  readonly onClose: () => void;
  /** To the plans, because there is not enough room; the text waits. */
  readonly onSeePlans?: ((text: string) => void) | undefined;
}
