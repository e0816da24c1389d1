import { z } from 'zod';
import { queryAsCaller } from '../../../kernel/database.ts';
import { showAddress, showText } from '../saved-text.ts';
import { defineTool } from '../tool.ts';
import { NO_SUCH_LINK, ToolRefusal } from '../tool-refusal.ts';
import type { LinkRow } from './present-link.ts';

type WholeRow = LinkRow & {
  readonly category_id: string;
  readonly category: string | null;
  readonly folder: string | null;
  readonly is_own: boolean;
  readonly tags: readonly string[];
  readonly created_at: Date;
  readonly updated_at: Date;
};

/** In whose folder something lies its owner alone sees: for others the name is null. */
const TEXT = `select l.id, l.url, l.title, l.description, l.category_id, c.name as category, f.name as folder,
    l.user_id = (select auth.uid()) as is_own, l.created_at, l.updated_at,
    array(
      select t.name from public.link_tags k join public.tags t on t.id = k.tag_id where k.link_id = l.id order by t.folded
    ) as tags
  from public.links l
  left join public.categories c on c.id = l.category_id
  left join public.folders f on f.id = c.folder_id and f.user_id = (select auth.uid())
  where l.id = $1`;

export const getLink = defineTool({
  name: 'get_link',
  title: 'Ver um link',
  description:
    'Shows one link whole: address, title, description, category, folder, tags and when it was saved. It does not open the page.',
  input: z.strictObject({ id: z.uuid().describe('Id of the link.') }),
  effect: 'reads',
  async run({ db, caller }, { id }) {
    const statement = { name: 'mcp_get_link', text: TEXT, values: [id] };
    const { rows } = await queryAsCaller<WholeRow>(db, caller, statement, { readOnly: true });
    const [row] = rows;
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
        saved_at: row.created_at.toISOString(),
        changed_at: row.updated_at.toISOString(),
      },
    };
  },
});
