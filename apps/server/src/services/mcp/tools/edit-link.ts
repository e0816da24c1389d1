import { z } from 'zod';
import { readLinkChange } from '../../../library/link-fields.ts';
import { editLink as edit } from '../../../library/write-links.ts';
import { defineTool } from '../tool.ts';
import { NO_SUCH_LINK, ToolRefusal } from '../tool-refusal.ts';
import { presentLink } from './present-link.ts';

export const editLink = defineTool({
  name: 'edit_link',
  title: 'Editar um link',
  description:
    'Changes title, address or description of one link of the person, or of a shared folder in which they may write. What is left out stays as it is; a description of null is taken away. move_links changes the category, tag_links the tags.',
  input: z.strictObject({
    id: z.uuid().describe('Id of the link.'),
    title: z.string().min(1).max(1_000).optional().describe('At most 100 characters.'),
    url: z.string().min(1).max(2_000).optional().describe('A web address, http or https.'),
    description: z.string().max(5_000).nullable().optional().describe('At most 1200 characters.'),
  }),
  effect: 'changes',
  async run({ library }, { id, ...wish }) {
    const read = readLinkChange(wish);
    if (!read.ok) throw new ToolRefusal(read.wrong.message);
    if (Object.keys(read.fields).length === 0)
      throw new ToolRefusal('Nothing to change: give title, url or description.');
    const row = await edit(library, id, read.fields);
    if (row === undefined) throw new ToolRefusal(NO_SUCH_LINK);
    return { link: presentLink(row) };
  },
});
