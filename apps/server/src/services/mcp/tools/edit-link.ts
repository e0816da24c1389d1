import { linkFormSchema } from '@linkoteca/domain/library-schemas';
import * as v from 'valibot';
import { z } from 'zod';
import { queryAsCaller } from '../../../kernel/database.ts';
import { defineTool } from '../tool.ts';
import { NO_SUCH_LINK, ToolRefusal } from '../tool-refusal.ts';
import { type LinkRow, presentLink } from './present-link.ts';

/** The rules of the form in which people change a link, each field by itself. */
const changeSchema = v.partial(v.pick(linkFormSchema, ['url', 'title', 'description']));

export const editLink = defineTool({
  name: 'edit_link',
  title: 'Editar um link',
  description:
    'Changes title, address or description of one link of the person. What is left out stays as it is; a description of null is taken away. move_links changes the category, tag_links the tags.',
  input: z.strictObject({
    id: z.uuid().describe('Id of the link.'),
    title: z.string().min(1).max(1_000).optional().describe('At most 100 characters.'),
    url: z.string().min(1).max(2_000).optional().describe('A web address, http or https.'),
    description: z.string().max(5_000).nullable().optional().describe('At most 1200 characters.'),
  }),
  effect: 'changes',
  async run({ db, caller }, { id, ...wish }) {
    const given = Object.fromEntries(Object.entries(wish).filter(([, value]) => value !== undefined));
    if (Object.keys(given).length === 0)
      throw new ToolRefusal('Nothing to change: give title, url or description.');
    const parsed = v.safeParse(changeSchema, given);
    if (!parsed.success) throw new ToolRefusal(parsed.issues[0].message);
    const { title, url, description } = parsed.output;
    const { rows } = await queryAsCaller<LinkRow>(db, caller, {
      name: 'mcp_edit_link',
      text: `update public.links l
        set title = coalesce($2, l.title), url = coalesce($3, l.url), description = case when $4 then $5 else l.description end
        where l.id = $1 and l.user_id = (select auth.uid())
        returning l.id, l.url, l.title, l.description`,
      values: [id, title ?? null, url ?? null, 'description' in given, description ?? null],
    });
    const [row] = rows;
    if (row === undefined) throw new ToolRefusal(NO_SUCH_LINK);
    return { link: presentLink(row) };
  },
});
