import { z } from 'zod';
import { getLink as get } from '../../../library/read-links.ts';
import { showAddress, showText } from '../saved-text.ts';
import { defineTool } from '../tool.ts';
import { NO_SUCH_LINK, ToolRefusal } from '../tool-refusal.ts';

export const getLink = defineTool({
  name: 'get_link',
  title: 'Ver um link',
  description:
    'Shows one link whole: address, title, description, category, folder, tags and when it was saved. It does not open the page.',
  input: z.strictObject({ id: z.uuid().describe('Id of the link.') }),
  effect: 'reads',
  async run({ library }, { id }) {
    const row = await get(library, id);
    if (row === undefined) throw new ToolRefusal(NO_SUCH_LINK);
    return {
      link: {
        id: row.id,
        title: showText(row.title),
        url: showAddress(row.url),
        description: row.description === null ? null : showText(row.description),
        category_id: row.category_id,
        category: row.category === null ? null : showText(row.category),
        folder: row.folder === null ? null : showText(row.folder),
        tags: row.tags.map(showText),
        is_own: row.is_own,
        saved_at: row.created_at,
        changed_at: row.updated_at,
      },
    };
  },
});
