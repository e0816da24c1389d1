import { z } from 'zod';
import { moveLinks as move } from '../../../library/write-links.ts';
import { defineTool } from '../tool.ts';
import { NO_SUCH_CATEGORY, NO_SUCH_LINK, ToolRefusal } from '../tool-refusal.ts';
import { categoryId, linkIds } from './arguments.ts';

const NO_LINK_OF_OWNER =
  'None of these links belongs to the owner of that category, or the person may not change them. Links move within one library.';

export const moveLinks = defineTool({
  name: 'move_links',
  title: 'Mover links',
  description:
    'Moves links of the person into one of their categories, or links of a shared folder into another category that the same owner shares and the person may write in. The answer says where each was before, so that they can be moved back.',
  input: z.strictObject({ link_ids: linkIds, category_id: categoryId }),
  effect: 'changes',
  async run({ library }, { link_ids: ids, category_id: category }) {
    const moving = await move(library, ids, category);
    if (moving === undefined) throw new ToolRefusal(NO_SUCH_CATEGORY);
    const { isOwn, moved: rows } = moving;
    if (rows.length === 0) throw new ToolRefusal(isOwn ? NO_SUCH_LINK : NO_LINK_OF_OWNER);
    const moved = new Set(rows.map(({ id }) => id));
    return {
      moved: rows.map(({ id, category_id: from }) => ({ id, from_category_id: from })),
      not_found: ids.filter((id) => !moved.has(id.toLowerCase())),
    };
  },
});
