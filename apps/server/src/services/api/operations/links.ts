import { randomUUID } from 'node:crypto';
import { readTagNames, tagKey } from '@linkoteca/domain/tags';
import pg from 'pg';
import * as v from 'valibot';
import { readPlace, writeCursor } from '../../../library/cursor.ts';
import type { Library } from '../../../library/library.ts';
import { readLinkChange, readNewLink, type WrongField } from '../../../library/link-fields.ts';
import {
  findLinksOfAddress,
  getLink,
  type LinkRow,
  listLinks,
  placeOf,
  readLinks,
} from '../../../library/read-links.ts';
import {
  deleteLinks,
  editLink,
  lockLink,
  moveLinks,
  saveLink,
  tagLinks,
} from '../../../library/write-links.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { cursor, limit, presentPage, requireCursor } from '../paging.ts';
import { Problem } from '../problem.ts';
import { contents, link, pageOf } from '../resources.ts';

const list = defineOperation({
  name: 'listLinks',
  method: 'GET',
  path: '/links',
  summary: 'List links, newest first',
  description:
    'All of the person’s own links; with category_id those of a category, which may be one that somebody shares with the person; with url those of the person’s that have this address, however it is spelt.',
  query: v.strictObject({
    category_id: v.optional(contents.category_id),
    url: v.optional(v.pipe(v.string(), v.maxLength(2_000), v.description('A web address.'))),
    cursor,
    limit,
  }),
  status: 200,
  answer: pageOf(link),
  problems: ['not_found'],
  example: { query: 'limit=2' },
  async run({ library, query }) {
    if (query.url !== undefined) return { body: await findByUrl(library, query.url, query.category_id) };
    const after = requireCursor(readPlace(query.cursor));
    const page = await listLinks(library, { categoryId: query.category_id, after, limit: query.limit });
    if (page === undefined) throw new Problem('not_found', { detail: 'Categoria não encontrada' });
    const { rows, hasMore } = page;
    return {
      body: presentPage(rows.map(presentLink), hasMore, (count) => writeCursor(placeOf(rows[count - 1]))),
    };
  },
});

/** Never more than five: they fit on one page. */
async function findByUrl(library: Library, url: string, categoryId: string | undefined) {
  if (url.includes('\0')) throw new Problem('invalid_request');
  const ids = await findLinksOfAddress(library, url, categoryId);
  const rows = ids.length === 0 ? [] : await readLinks(library, ids);
  return presentPage(rows.map(presentLink), false, () => '');
}

const create = defineOperation({
  name: 'createLink',
  method: 'POST',
  path: '/links',
  summary: 'Save a link',
  description:
    'Into the inbox where no category is named; into a category of a shared folder where the person may write: the link is its owner’s then. Without a title it is called by its host; no page is opened. The same address may be saved twice: ask GET /links?url= first.',
  content: v.strictObject({
    url: contents.url,
    title: v.optional(contents.title),
    description: v.optional(contents.description),
    category_id: v.optional(contents.category_id),
    tags: v.optional(contents.tags),
  }),
  status: 201,
  answer: link,
  problems: ['limit_reached'],
  example: {
    content: { url: 'https://exemplo.com.br/bolo', title: 'Bolo de fubá', tags: ['receitas'] },
    idempotencyKey: '8d1f7b0e-bolo',
  },
  async run({ library, body }) {
    const read = readNewLink(body);
    if (!read.ok) throw wrongField(read.wrong);
    const id = randomUUID();
    await saveLink(library, id, read.fields, body.category_id).catch(refuseCategory);
    const saved = await requireLink(library, id);
    const added = readTagNames(body.tags ?? []);
    if (added.length === 0) return { body: saved, location: `/links/${id}` };
    await tagLinks(library, { ids: [id], added, removed: [] });
    return { body: await requireLink(library, id), location: `/links/${id}` };
  },
});

/** What is missing is named in the content, not by the address. */
function refuseCategory(error: unknown): never {
  if (error instanceof pg.DatabaseError && error.code === 'PT404') throw wrongField(NO_SUCH_CATEGORY);
  throw error;
}

const NO_SUCH_CATEGORY = { field: 'category_id', message: 'Categoria não encontrada' };

const get = defineOperation({
  name: 'getLink',
  method: 'GET',
  path: '/links/{id}',
  summary: 'Read a link',
  status: 200,
  answer: link,
  problems: ['not_found'],
  example: {},
  async run({ library, id }) {
    return { body: await requireLink(library, id) };
  },
});

const change = defineOperation({
  name: 'updateLink',
  method: 'PATCH',
  path: '/links/{id}',
  summary: 'Change, move or tag a link',
  description:
    'What is left out stays as it is. tags replaces all tags of the link. A link of a shared folder is changed by whoever may write there, moves within what its owner shares, and gets tags of its owner.',
  content: v.strictObject({
    url: v.optional(contents.url),
    title: v.optional(contents.title),
    description: v.optional(contents.description),
    category_id: v.optional(contents.category_id),
    tags: v.optional(contents.tags),
  }),
  status: 200,
  answer: link,
  problems: ['not_found', 'limit_reached'],
  example: { content: { title: 'Bolo de fubá cremoso', tags: ['receitas', 'doces'] } },
  async run({ library, id, body }) {
    const read = readLinkChange(body);
    if (!read.ok) throw wrongField(read.wrong);
    if (!(await lockLink(library, id))) throw new Problem('not_found');
    const before = await requireLink(library, id);
    if (Object.keys(read.fields).length > 0) await editLink(library, id, read.fields);
    if (body.category_id !== undefined) await moveLink(library, id, body.category_id);
    if (body.tags !== undefined) await replaceTags(library, before, body.tags);
    return { body: await requireLink(library, id) };
  },
});

async function moveLink(library: Library, id: string, categoryId: string): Promise<void> {
  const moving = await moveLinks(library, [id], categoryId);
  // A category of another library is none that this link could lie in.
  if (moving === undefined || moving.moved.length === 0) throw wrongField(NO_SUCH_CATEGORY);
}

async function replaceTags(library: Library, { id, tags }: LinkRow, wished: readonly string[]) {
  const added = readTagNames(wished);
  const kept = new Set(added.map(tagKey));
  const removed = tags.filter((name) => !kept.has(tagKey(name)));
  if (added.length + removed.length > 0) await tagLinks(library, { ids: [id], added, removed });
}

const remove = defineOperation({
  name: 'deleteLink',
  method: 'DELETE',
  path: '/links/{id}',
  summary: 'Put a link into the bin',
  description:
    'From where the person brings it back within thirty days. A link of a shared folder lies in the bin of its owner.',
  status: 204,
  problems: ['not_found'],
  example: {},
  async run({ library, id }) {
    if ((await deleteLinks(library, [id])).length === 0) throw new Problem('not_found');
    return {};
  },
});

export const LINK_OPERATIONS: readonly Operation[] = [list, create, get, change, remove];

/** A link as it is answered. Pure. */
export function presentLink(row: LinkRow): LinkRow {
  const { id, url, title, description, category_id, is_own, tags, created_at, updated_at } = row;
  return { id, url, title, description, category_id, is_own, tags, created_at, updated_at };
}

async function requireLink(library: Library, id: string): Promise<LinkRow> {
  const row = await getLink(library, id);
  if (row === undefined) throw new Problem('not_found');
  return presentLink(row);
}

/** A field that the form of the app would not take. */
export function wrongField({ field, message }: WrongField): Problem {
  return new Problem('invalid_content', {
    detail: message,
    errors: [{ pointer: `#/${field}`, detail: message }],
  });
}
