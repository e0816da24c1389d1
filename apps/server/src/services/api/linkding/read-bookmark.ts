import { FIELD_LIMITS } from '@linkoteca/domain/limits';
import { shortenText } from '@linkoteca/domain/shorten-text';
import { readTagNames } from '@linkoteca/domain/tags';
import { cleanText, countCharacters, truncateCharacters } from '@linkoteca/domain/text';
import * as v from 'valibot';
import type { PageText } from './page-text.ts';

const word = v.pipe(v.string(), v.maxLength(200));
/** Fields that nobody knows are left out, as Django's REST framework does. */
const entries = {
  url: v.pipe(v.string(), v.nonEmpty('Falta este campo')),
  title: v.optional(v.nullable(v.string())),
  description: v.optional(v.nullable(v.string())),
  notes: v.optional(v.nullable(v.string())),
  tag_names: v.optional(v.array(word)),
};

/** What is sent to save a bookmark, or to replace one. */
export const bookmarkContent = v.object(entries);
/** What is sent to change one. */
export const bookmarkChange = v.object({ ...entries, url: v.optional(entries.url) });

export type BookmarkContent = v.InferOutput<typeof bookmarkChange>;

/** What can be kept of it here: undefined is not said. */
export type BookmarkFields = {
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly tags: readonly string[] | undefined;
};

/**
 * linkding's texts may be longer than ours, and a page's title is whatever the page says: they are cut, so that saving does not fail. Notes
 * follow the description, of which there is one here. Pure.
 */
export function readFields({ title, description, notes, tag_names: tags }: BookmarkContent): BookmarkFields {
  const texts = [description, notes].filter(
    (text) => text !== undefined && text !== null && text.trim() !== '',
  );
  const isSaid = (description ?? undefined) !== undefined || texts.length > 0;
  return {
    // An empty one is none.
    title: title?.trim() ? shortenText(title.trim(), FIELD_LIMITS.linkTitle) : undefined,
    description: isSaid ? shortenText(texts.join('\n\n'), FIELD_LIMITS.linkDescription) : undefined,
    tags: tags && readTagNames(tags),
  };
}

/** What is sent; notes without a description follow the one that the link has. Sent again they are not there twice. Pure. */
export function keepDescription(content: BookmarkContent, kept: string | null): BookmarkContent {
  // More than is ever kept of them.
  const notes = truncateCharacters(cleanText(content.notes ?? ''), 2 * FIELD_LIMITS.linkDescription);
  if (typeof content.description === 'string' || notes === '' || !kept) return content;
  return { ...content, description: addNotes(kept, notes), notes: undefined };
}

const GAP = '\n\n';

function addNotes(kept: string, notes: string): string {
  // What a description before them leaves room for: it stays whole.
  const cut = (before: string) => {
    const room = FIELD_LIMITS.linkDescription - countCharacters(before);
    return room > 0 ? shortenText(notes, room) : '';
  };
  const isThere = [0, ...[...kept.matchAll(/\n\n/g)].map(({ index }) => index + GAP.length)].some((start) => {
    const end = kept.slice(start);
    return notes.startsWith(end.replace(/…$/, '')) && end === cut(kept.slice(0, start));
  });
  const added = cut(kept + GAP);
  return isThere || added === '' ? kept : kept + GAP + added;
}

/** What is sent, and in the place of what is not said what the page says of itself. Pure. */
export function fillFromPage<Content extends BookmarkContent>(
  content: Content,
  page: PageText | undefined,
): Content {
  return {
    ...content,
    title: content.title?.trim() ? content.title : page?.title,
    description: content.description?.trim()
      ? content.description
      : (page?.description ?? content.description),
  };
}
