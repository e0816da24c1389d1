import { BIN_DAYS } from '@linkoteca/domain/limits';
import { z } from 'zod';
import { queryAsCaller } from '../../../kernel/database.ts';
import { defineTool } from '../tool.ts';
import { NO_SUCH_LINK, ToolRefusal } from '../tool-refusal.ts';
import { linkIds } from './arguments.ts';

export const deleteLinks = defineTool({
  name: 'delete_links',
  title: 'Mover links para a Lixeira',
  description: `Deletes links of the person. They lie in the bin ("Lixeira") for ${BIN_DAYS} days, from where the person brings them back with their tags; no tool deletes anything for good.`,
  input: z.strictObject({ link_ids: linkIds }),
  effect: 'deletes',
  async run({ db, caller, siteUrl }, { link_ids: ids }) {
    const { rows } = await queryAsCaller<{ id: string }>(db, caller, {
      name: 'mcp_delete_links',
      text: `delete from public.links l
        where l.id = any ($1::uuid[]) and l.user_id = (select auth.uid())
        returning l.id`,
      values: [ids],
    });
    if (rows.length === 0) throw new ToolRefusal(NO_SUCH_LINK);
    const deleted = new Set(rows.map(({ id }) => id));
    return {
      deleted: [...deleted],
      not_found: ids.filter((id) => !deleted.has(id.toLowerCase())),
      how_to_bring_back: `The person opens ${siteUrl}/lixeira and chooses "Restaurar", within ${BIN_DAYS} days.`,
    };
  },
});
