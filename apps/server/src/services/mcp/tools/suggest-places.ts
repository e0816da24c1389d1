import { shortenText } from '@linkoteca/domain/shorten-text';
import { z } from 'zod';
import { readNewLink } from '../../../library/link-fields.ts';
import { getLink } from '../../../library/read-links.ts';
import { type PlacedLink, suggestPlaces as suggest } from '../../../library/suggest-places.ts';
import { showAddress, showText } from '../saved-text.ts';
import { defineTool, type ToolContext } from '../tool.ts';
import { NO_SUCH_LINK, ToolRefusal } from '../tool-refusal.ts';

/** A page of the inbox, as a person would go through it. */
const MOST_LINKS = 20;

type Asked = PlacedLink & { readonly id: string | null };

export const suggestPlaces = defineTool({
  name: 'suggest_places',
  title: 'Sugerir onde guardar',
  description:
    "Suggests up to five categories for links, best first, by the person's own library: names of categories and folders, where other links of the same site are, words that titles share. A link of a shared folder is suggested what its owner shares as well. For links that are saved give link_ids, for one that is not give url and, if known, title. It moves nothing; move_links and save_links do.",
  input: z.strictObject({
    link_ids: z.array(z.uuid()).min(1).max(MOST_LINKS).optional().describe('Ids of links that are saved.'),
    url: z.string().max(2048).optional().describe('Address of a link that is not saved yet.'),
    title: z.string().max(1000).optional(),
  }),
  effect: 'reads',
  async run(context, { link_ids: ids, url, title }) {
    if ((ids === undefined) === (url === undefined))
      throw new ToolRefusal('Give either link_ids or url, and not both.');
    const asked = ids === undefined ? [readUnsaved(url ?? '', title)] : await readSaved(context, ids);
    const places = await suggest(context.library, asked);
    if (places.includes(undefined)) throw new ToolRefusal(NO_SUCH_LINK);
    return {
      suggestions: asked.map((link, at) => ({
        link: { id: link.id, title: shortenText(showText(link.title), 100), url: showAddress(link.url) },
        places: (places[at] ?? []).map((place) => ({
          ...place,
          category: showText(place.category),
          folder: showText(place.folder),
        })),
      })),
    };
  },
});

async function readSaved({ library }: ToolContext, ids: readonly string[]): Promise<readonly Asked[]> {
  const rows = await Promise.all([...new Set(ids)].map((id) => getLink(library, id)));
  return rows.map((row) => {
    if (row === undefined) throw new ToolRefusal(NO_SUCH_LINK);
    return row;
  });
}

function readUnsaved(url: string, title: string | undefined): Asked {
  const read = readNewLink({ url, title: title === undefined ? undefined : shortenText(title, 100) });
  if (!read.ok) throw new ToolRefusal(read.wrong.message);
  return { id: null, url: read.fields.url, title: read.fields.title, category_id: null, is_own: true };
}
