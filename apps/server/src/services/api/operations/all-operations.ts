import type { Operation } from '../operation.ts';
import { CATEGORY_OPERATIONS } from './categories.ts';
import { FOLDER_OPERATIONS } from './folders.ts';
import { LINK_OPERATIONS } from './links.ts';
import { ME_OPERATIONS } from './me.ts';
import { SEARCH_OPERATIONS } from './search.ts';
import { TAG_OPERATIONS } from './tags.ts';

/** Everything that `/api/v1` does, in the order of its document. */
export const OPERATIONS: readonly Operation[] = [
  ...ME_OPERATIONS,
  ...FOLDER_OPERATIONS,
  ...CATEGORY_OPERATIONS,
  ...LINK_OPERATIONS,
  ...TAG_OPERATIONS,
  ...SEARCH_OPERATIONS,
];
