import { BIN_DAYS } from '@linkoteca/domain/limits';
import { z } from 'zod';
import { deleteLinks as putIntoBin } from '../../../library/write-links.ts';
import { defineTool } from '../tool.ts';
import { NO_SUCH_LINK, ToolRefusal } from '../tool-refusal.ts';
import { linkIds } from './arguments.ts';

export const deleteLinks = defineTool({
  name: 'delete_links',
  title: 'Mover links para a Lixeira',
  description: `Deletes links of the person. They lie in the bin ("Lixeira") for ${BIN_DAYS} days, from where the person brings them back with their tags (those of a shared folder in the bin of its owner); no tool deletes anything for good.`,
  input: z.strictObject({ link_ids: linkIds }),
  effect: 'deletes',
  async run({ library, siteUrl }, { link_ids: ids }) {
    const rows = await putIntoBin(library, ids);
    if (rows.length === 0) throw new ToolRefusal(NO_SUCH_LINK);
    const deleted = new Set(rows.map(({ id }) => id));
    const ofOthers = rows.flatMap(({ id, is_own }) => (is_own ? [] : [id]));
    return {
      deleted: [...deleted],
      not_found: ids.filter((id) => !deleted.has(id.toLowerCase())),
      how_to_bring_back: `The person opens ${siteUrl}/lixeira and chooses "Restaurar", within ${BIN_DAYS} days.`,
      ...(ofOthers.length === 0 ? {} : { in_bin_of_folder_owner: ofOthers }),
    };
  },
});
