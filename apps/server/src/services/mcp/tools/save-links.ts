import { randomUUID } from 'node:crypto';
import { samePageKey } from '@linkoteca/domain/same-address';
import { z } from 'zod';
import { type NewLink, readNewLink } from '../../../library/link-fields.ts';
import { findKnownLinks, type KnownLinkRow } from '../../../library/read-links.ts';
import { saveLink } from '../../../library/write-links.ts';
import { showText } from '../saved-text.ts';
import { defineTool, type ToolContext } from '../tool.ts';
import { describeFailure } from '../tool-refusal.ts';
import { categoryId } from './arguments.ts';

const MOST_LINKS = 50;

const wishedLink = z.strictObject({
  url: z.string().min(1).max(2_000).describe('A web address, http or https.'),
  title: z
    .string()
    .max(1_000)
    .optional()
    .describe('At most 100 characters. Left out: the host of the address.'),
  description: z.string().max(5_000).optional().describe('At most 1200 characters.'),
});

type Wish = z.output<typeof wishedLink>;

type Outcome =
  | { readonly index: number; readonly outcome: 'saved'; readonly id: string; readonly category_id: string }
  | {
      readonly index: number;
      readonly outcome: 'already_saved';
      readonly id: string;
      readonly category_id: string;
      /** Left out where the same call has saved it. */
      readonly category?: string;
    }
  | { readonly index: number; readonly outcome: 'refused'; readonly reason: string };

export const saveLinks = defineTool({
  name: 'save_links',
  title: 'Salvar links',
  description: `Saves 1 to ${MOST_LINKS} links into a category, or without category_id into the inbox ("Entrada"). A category of a shared folder is taken where the person may write there; the links are then its owner's, and everybody with whom it is shared sees them. Each link has an outcome of its own, by its index from 0: "saved", "already_saved" (the address is in the library; nothing is added) or "refused" with the reason. A refused link does not keep the others from being saved.`,
  input: z.strictObject({
    links: z.array(wishedLink).min(1).max(MOST_LINKS),
    category_id: categoryId.optional(),
    save_again: z.boolean().optional().describe('true also saves addresses that are in the library already.'),
  }),
  effect: 'adds',
  async run(context, { links, category_id: category, save_again: again = false }) {
    const read = links.map(readLink);
    const known = again ? new Map<string, KnownLinkRow>() : await findKnown(context, read);
    const outcomes: Outcome[] = [];
    for (const [index, link] of read.entries()) {
      const outcome =
        typeof link === 'string'
          ? ({ index, outcome: 'refused', reason: link } as const)
          : await saveOne(context, { index, link, category, known: known.get(samePageKey(link.url)) });
      outcomes.push(outcome);
      // The same page twice in one call is one link.
      if (outcome.outcome === 'saved' && typeof link !== 'string' && !again)
        known.set(samePageKey(link.url), {
          url: link.url,
          link_id: outcome.id,
          category_id: outcome.category_id,
          category_name: '',
        });
    }
    const count = (wanted: Outcome['outcome']) => outcomes.filter(({ outcome }) => outcome === wanted).length;
    return {
      saved: count('saved'),
      already_saved: count('already_saved'),
      refused: count('refused'),
      outcomes,
    };
  },
});

/** The link as it can be saved, or why it cannot. Pure. */
function readLink(wish: Wish): NewLink | string {
  const read = readNewLink(wish);
  return read.ok ? read.fields : read.wrong.message;
}

/** Where the addresses are already, by what addresses of a page have in common. */
async function findKnown(
  { library }: ToolContext,
  links: readonly (NewLink | string)[],
): Promise<Map<string, KnownLinkRow>> {
  const urls = links.flatMap((link) => (typeof link === 'string' ? [] : [link.url]));
  const rows = await findKnownLinks(library, urls);
  // Newest first: the first of each address is shown.
  return new Map([...rows].reverse().map((row) => [samePageKey(row.url), row]));
}

type Saving = {
  readonly index: number;
  readonly link: NewLink;
  readonly category: string | undefined;
  readonly known: KnownLinkRow | undefined;
};

async function saveOne({ library, onFailure }: ToolContext, saving: Saving): Promise<Outcome> {
  const { index, link, category: wished, known } = saving;
  if (known) {
    const { link_id: id, category_id, category_name } = known;
    const category = category_name === '' ? {} : { category: showText(category_name) };
    return { index, outcome: 'already_saved', id, category_id, ...category };
  }
  const id = randomUUID();
  try {
    return { index, outcome: 'saved', id, category_id: await saveLink(library, id, link, wished) };
  } catch (error) {
    const reason = describeFailure(error);
    if (reason === undefined) onFailure(error);
    return {
      index,
      outcome: 'refused',
      reason: reason ?? 'The server could not save it now. Try again later.',
    };
  }
}
