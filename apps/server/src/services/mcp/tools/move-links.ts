import { z } from 'zod';
import { queryAsCaller } from '../../../kernel/database.ts';
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
  async run({ db, caller }, { link_ids: ids, category_id: category }) {
    const { rows } = await queryAsCaller<{ id: string; category_id: string }>(db, caller, {
      name: 'mcp_move_links',
      // In one order for everybody who writes, so that no two wait for each other.
      text: `with before as (
          select l.id, l.category_id from public.links l
          where l.id = any ($1::uuid[]) and l.user_id = (select auth.uid())
          order by l.id for update
        )
        update public.links l set category_id = $2 from before b where l.id = b.id
        returning b.id, b.category_id`,
      values: [ids, category],
    });
    if (rows.length === 0) throw new ToolRefusal(NO_SUCH_LINK);
    const moved = new Set(rows.map(({ id }) => id));
    return {
      moved: rows.map(({ id, category_id: from }) => ({ id, from_category_id: from })),
      not_found: ids.filter((id) => !moved.has(id.toLowerCase())),
    };
  },
});
