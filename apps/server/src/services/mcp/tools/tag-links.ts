import { readTagNames, TAG_LIMITS } from '@linkoteca/domain/tags';
import { z } from 'zod';
import { tagLinks as tag } from '../../../library/write-links.ts';
import { showText } from '../saved-text.ts';
import { defineTool } from '../tool.ts';
import { ToolRefusal } from '../tool-refusal.ts';
import { linkIds } from './arguments.ts';

const names = z.array(z.string().min(1).max(200)).max(TAG_LIMITS.link).optional();

export const tagLinks = defineTool({
  name: 'tag_links',
  title: 'Marcar links com tags',
  description: `Gives links of the person, or of shared folders in which they may write, tags, takes tags from them, or both. Tags are of whoever owns the link; those that do not exist are made. At most ${TAG_LIMITS.link} tags a link; case and accents do not tell tags apart. The reverse call takes it back.`,
  input: z.strictObject({
    link_ids: linkIds,
    add: names.describe('Names of tags to give.'),
    remove: names.describe('Names of tags to take.'),
  }),
  effect: 'changes',
  async run({ library }, { link_ids: ids, add = [], remove = [] }) {
    const [added, removed] = [readTagNames(add), readTagNames(remove)];
    if (added.length + removed.length === 0)
      throw new ToolRefusal('Nothing to change: give names in add or remove.');
    const { tags, tagged } = await tag(library, { ids, added, removed });
    return {
      tags: tags.map(({ name, link_count }) => ({
        name: showText(name),
        ...(link_count === undefined ? {} : { links: link_count }),
      })),
      not_found: ids.filter((id) => !tagged.includes(id.toLowerCase())),
    };
  },
});
