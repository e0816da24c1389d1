import type { LinkAllowance } from '../../model/link-allowance.ts';
import type { BeginCountLinks } from '../../model/link-rows.ts';
import type { CategoryGroup } from '../form/category-select.tsx';

export interface PasteManyDialogProps {
  readonly open: boolean;
  /** What was pasted; empty asks for it. */
  readonly text: string;
  /** The person's own category on the screen; null on other pages. */
  readonly categoryId: string | null;
  readonly groups: readonly CategoryGroup[];
  readonly allowance: LinkAllowance | null;
  readonly beginCountLinks: BeginCountLinks;
  readonly onClose: () => void;
  /** The way to a first category, for somebody who has none; the text as it is now goes along. */
  readonly onCreateCategory?: ((text: string) => void) | undefined;
}
