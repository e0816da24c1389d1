import type { Capture } from '../../features/captures/model/capture.ts';
import { type PastedLink, parsePastedLinks } from '../../features/links/model/pasting/pasted-links.ts';
import { createId } from '../../shared/lib/writes/create-id.ts';
import { readSharedText, type SharedText } from '../pages/read-shared-text.ts';

/** Characters of a text that are looked through for addresses: several hundred links, and no more work than a page of them. */
const MOST_TEXT = 100_000;

/** Links that one act of sharing saves, at most. */
const MOST_LINKS = 200;

type Found = Extract<PastedLink, { kind: 'link' }>;

/**
 * The links to be saved of what was shared, each address once: the one that it is about, or all that a text of several names.
 * Empty where there is none, and where its only address cannot be saved.
 */
export function readCapturedLinks({ title = '', text = '', url = '' }: SharedText): readonly Capture[] {
  const shared = {
    title: title.slice(0, MOST_TEXT),
    text: text.slice(0, MOST_TEXT),
    url: url.slice(0, MOST_TEXT),
  };
  const single = readSharedText(shared);
  const listed = parsePastedLinks(shared.text).filter((entry): entry is Found => entry.kind === 'link');
  const found = new Map(listed.map((link) => [link.url, link]));
  // An address of its own is what is shared; the text beside it says something about it.
  if (shared.url === '' && found.size > 1)
    return [...found.values()]
      .slice(0, MOST_LINKS)
      .map((link) => ({ ...EMPTY, id: createId(), url: link.url, title: link.title }));
  if (single.url === '') return [];
  const { title: name = null, description = null } = single;
  return [{ ...EMPTY, id: createId(), url: single.url, title: name, description }];
}

const EMPTY = { description: null, categoryId: null, tags: [] } as const;
