import { randomUUID } from 'node:crypto';
import { tagKey } from '@linkoteca/domain/tags';
import { addressKey } from '@linkoteca/domain/urls';
import { fitPage } from '../../../library/fit-page.ts';
import type { Library } from '../../../library/library.ts';
import { readLinkChange, readNewLink } from '../../../library/link-fields.ts';
import {
  findKnownLinks,
  getLink,
  type LinkRow,
  listLinksFrom,
  readLinks,
} from '../../../library/read-links.ts';
import { countFound, readSearch, searchLinks } from '../../../library/search-links.ts';
import { deleteLinks, editLink, lockLink, saveLink, tagLinks } from '../../../library/write-links.ts';
import { wrongField } from '../operations/links.ts';
import { Problem } from '../problem.ts';
import { readContent } from '../read-input.ts';
import { defineLinkdingRoute, type LinkdingRoute } from './linkding-route.ts';
import { presentBookmarks, presentList } from './present-bookmarks.ts';
import {
  type BookmarkContent,
  bookmarkChange,
  bookmarkContent,
  fillFromPage,
  keepDescription,
  readFields,
} from './read-bookmark.ts';
import { type Range, readLinkdingQuestion, readRange } from './read-question.ts';
import { findNumbered } from './short-ids.ts';

/** UTF-8 bytes of a list in an answer. Programs that count go on at `next`. */
const LIST_BYTES = 2_097_152;
const SIZES = { usual: 100, most: 1_000 };
/** A search is asked for in pages of 25. */
const SEARCH_SIZES = { usual: 100, most: 100 };

const list = defineLinkdingRoute('GET', '/bookmarks/', async ({ library, query, address }) => {
  const question = readLinkdingQuestion(query['q'] ?? '');
  const range = readRange(query, question.text === '' ? SIZES : SEARCH_SIZES);
  // Nothing is unread here, and links are not shared one by one.
  const isNothing = question.isNothing || query['unread'] === 'yes' || query['shared'] === 'yes';
  const { rows, count } = isNothing ? NOTHING : await find(library, question, range);
  const fitting = fitPage(rows, false, () => '', LIST_BYTES).items;
  const results = await presentBookmarks(library, fitting);
  return { status: 200, body: presentList({ address, query, ...range, count, results }) };
});

type Found = { readonly rows: readonly LinkRow[]; readonly count: number };
const NOTHING: Found = { rows: [], count: 0 };

async function find(
  library: Library,
  { url, text }: ReturnType<typeof readLinkdingQuestion>,
  range: Range,
): Promise<Found> {
  if (text === '') {
    const rows = await listLinksFrom(library, range.offset, range.limit);
    return { rows, count: await countLinks(library) };
  }
  if (url !== undefined) {
    const known = await findByUrl(library, url);
    if (known.length > 0)
      return { rows: known.slice(range.offset, range.offset + range.limit), count: known.length };
  }
  return search(library, text, range);
}

async function search(library: Library, text: string, { offset, limit }: Range): Promise<Found> {
  const { question, isEmpty } = readSearch(text);
  // What others share is not numbered.
  if (isEmpty || question.filters.owner !== null) return NOTHING;
  const ids: string[] = [];
  let hasMore = true;
  while (hasMore && ids.length < limit) {
    const page = await searchLinks(library, question, offset + ids.length);
    ids.push(...page.rows.map(({ id }) => id));
    hasMore = page.hasMore && page.rows.length > 0;
  }
  // What others share is not numbered.
  const rows = (await readLinks(library, ids.slice(0, limit))).filter((row) => row.is_own);
  return { rows, count: await countFound(library, question) };
}

async function countLinks(library: Library): Promise<number> {
  const { rows } = await library.read<{ count: number }>({
    name: 'api_count_links',
    text: 'select n.link_count as count from public.library_counts n where n.user_id = (select auth.uid())',
  });
  return rows[0]?.count ?? 0;
}

/** Newest first. */
async function findByUrl(library: Library, url: string): Promise<readonly LinkRow[]> {
  if (url.includes('\0')) return [];
  const known = await findKnownLinks(library, [url.toWellFormed()]);
  return readLinks(
    library,
    known.map(({ link_id }) => link_id),
  );
}

const archived = defineLinkdingRoute('GET', '/bookmarks/archived/', async ({ query, address }) => ({
  status: 200,
  body: presentList({ address, query, ...readRange(query, SIZES), count: 0, results: [] }),
}));

const check = defineLinkdingRoute(
  'GET',
  '/bookmarks/check/',
  async ({ library, query, page }) => {
    const { url = '' } = query;
    if (url === '') throw wrongField({ field: 'url', message: 'Falta este campo' });
    const [bookmark = null] = await presentBookmarks(library, (await findByUrl(library, url)).slice(0, 1));
    const { title = null, description = null } = page ?? {};
    const metadata = { url, title, description, preview_image: null };
    return { status: 200, body: { bookmark, metadata, auto_tags: [] } };
  },
  // Its form is filled with what the page says, unless the person has it take that from the tab. What is saved has a title.
  ({ library, query }) => findUnknown(library, query['url'] ?? ''),
);

const create = defineLinkdingRoute(
  'POST',
  '/bookmarks/',
  async ({ library, body, page }) => {
    const content = readContent(bookmarkContent, body);
    const [known] = await findByUrl(library, content.url);
    // Saved already: the same form changes it.
    const held = known && (await lockLink(library, known.id)) ? await getLink(library, known.id) : undefined;
    const id = held?.id ?? (await saveNew(library, fillFromPage(content, page)));
    if (held !== undefined)
      await applyChange(library, held, { ...keepDescription(content, held.description), url: undefined });
    return { status: 201, body: await presentOne(library, id) };
  },
  // Apps that were given an address alone send no title.
  async ({ library, query, body }) => {
    const content = readContent(bookmarkContent, body);
    const isTold = Boolean(content.title?.trim()) || query['disable_scraping'] !== undefined;
    return isTold ? undefined : findUnknown(library, content.url);
  },
);

/** The address where it is saved nowhere; undefined where it is, or where there is none. */
async function findUnknown(library: Library, url: string): Promise<string | undefined> {
  return url === '' || (await findByUrl(library, url)).length > 0 ? undefined : url;
}

async function saveNew(
  library: Library,
  content: BookmarkContent & { readonly url: string },
): Promise<string> {
  const { tags = [], ...fields } = readFields(content);
  const read = readNewLink({ url: content.url, ...fields });
  if (!read.ok) throw wrongField(read.wrong);
  const id = randomUUID();
  await saveLink(library, id, read.fields, undefined);
  if (tags.length > 0) await tagLinks(library, { ids: [id], added: tags, removed: [] });
  return id;
}

async function applyChange(library: Library, link: LinkRow, content: BookmarkContent): Promise<void> {
  const { tags, ...fields } = readFields(content);
  const { url } = content;
  if (url !== undefined && addressKey(url) !== addressKey(link.url)) await refuseKnown(library, url, link.id);
  const read = readLinkChange({ ...fields, url });
  if (!read.ok) throw wrongField(read.wrong);
  if (Object.keys(read.fields).length > 0) await editLink(library, link.id, read.fields);
  if (tags === undefined) return;
  const kept = new Set(tags.map(tagKey));
  const removed = link.tags.filter((name) => !kept.has(tagKey(name)));
  if (tags.length + removed.length > 0) await tagLinks(library, { ids: [link.id], added: tags, removed });
}

async function refuseKnown(library: Library, url: string, own: string): Promise<void> {
  const known = await findByUrl(library, url);
  if (known.some(({ id }) => id !== own))
    throw wrongField({ field: 'url', message: 'Já existe um link com este endereço' });
}

const get = defineLinkdingRoute('GET', '/bookmarks/:id/', async ({ library, id }) => {
  const link = await requireLink(library, id);
  return { status: 200, body: await presentOne(library, link.id) };
});

const replace = defineLinkdingRoute('PUT', '/bookmarks/:id/', async ({ library, id, body }) => {
  const link = await holdLink(library, id);
  await applyChange(library, link, readContent(bookmarkContent, body));
  return { status: 200, body: await presentOne(library, link.id) };
});

const change = defineLinkdingRoute('PATCH', '/bookmarks/:id/', async ({ library, id, body }) => {
  const link = await holdLink(library, id);
  await applyChange(library, link, keepDescription(readContent(bookmarkChange, body), link.description));
  return { status: 200, body: await presentOne(library, link.id) };
});

const remove = defineLinkdingRoute('DELETE', '/bookmarks/:id/', async ({ library, id }) => {
  const link = await requireLink(library, id);
  await deleteLinks(library, [link.id]);
  return { status: 204 };
});

async function requireLink(library: Library, number: string): Promise<LinkRow> {
  const id = await findNumbered(library, number);
  const link = id === undefined ? undefined : await getLink(library, id);
  if (link === undefined || !link.is_own) throw new Problem('not_found');
  return link;
}

/** Held until the call is over: what is written is made of what is there by then. */
async function holdLink(library: Library, number: string): Promise<LinkRow> {
  const { id } = await requireLink(library, number);
  if (!(await lockLink(library, id))) throw new Problem('not_found');
  return requireLink(library, number);
}

async function presentOne(library: Library, id: string): Promise<object> {
  const [bookmark] = await presentBookmarks(library, await readLinks(library, [id]));
  if (bookmark === undefined) throw new Problem('not_found');
  return bookmark;
}

export const BOOKMARK_ROUTES: readonly LinkdingRoute[] = [
  list,
  create,
  archived,
  check,
  get,
  replace,
  change,
  remove,
];
