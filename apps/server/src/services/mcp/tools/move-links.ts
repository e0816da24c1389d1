import { z } from 'zod';
import { moveLinks as move } from '../../../library/write-links.ts';
import { defineTool } from '../tool.ts';
import { NO_SUCH_LINK, ToolRefusal } from '../tool-refusal.ts';
import { categoryId, linkIds } from './arguments.ts';

export const moveLinks = defineTool({
  name: 'move_links',
  title: 'Mover links',
  description:
    'Moves links of the person into one of their categories. The answer says where each was before, so that they can be moved back.',
  input: z.strictObject({ link_ids: linkIds, category_id: categoryId }),
  effect: 'changes',
  async run({ library }, { link_ids: ids, category_id: category }) {
    const rows = await move(library, ids, category);
    if (rows.length === 0) throw new ToolRefusal(NO_SUCH_LINK);
    const moved = new Set(rows.map(({ id }) => id));
    return {
      moved: rows.map(({ id, category_id: from }) => ({ id, from_category_id: from })),
      not_found: ids.filter((id) => !moved.has(id.toLowerCase())),
    };
  },
});
