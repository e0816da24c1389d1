import { categoryFormSchema } from '@linkoteca/domain/category-schema';
import * as v from 'valibot';
import type { Statement } from '../../../kernel/database.ts';
import type { Library } from '../../../library/library.ts';
import { momentText } from '../../../library/read-links.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { cursor, limit, presentPage, readNamedPlace, writeNamedPlace } from '../paging.ts';
import { Problem } from '../problem.ts';
import { readContent } from '../read-input.ts';
import { category, contents, pageOf } from '../resources.ts';

type CategoryRow = v.InferOutput<typeof category>;

const SELECT = `select c.id, c.folder_id, c.name, c.description, c.is_public, public.is_inbox(c) as is_inbox,
    coalesce(n.link_count, 0) as link_count, ${momentText('c.created_at')} as created_at, ${momentText('c.updated_at')} as updated_at
  from public.categories c left join public.category_counts n on n.category_id = c.id
  where c.user_id = (select auth.uid())`;

/** The counter of somebody else's category is shown by the function that tells about it alone. */
const SELECT_SHARED = `select c.id, c.folder_id, c.name, c.description, c.is_public, false as is_inbox,
    coalesce((select s.link_count from public.shared_category(c.id) s), 0) as link_count,
    ${momentText('c.created_at')} as created_at, ${momentText('c.updated_at')} as updated_at,
    jsonb_build_object('folder_name', r.name, 'owner_name', r.owner_name, 'may_write', r.may_write) as shared
  from public.received_folders() r join public.categories c on c.folder_id = r.folder_id
  where c.user_id = r.owner_id`;

const list = defineOperation({
  name: 'listCategories',
  method: 'GET',
  path: '/categories',
  summary: 'List categories by name',
  description:
    'The person’s own; with shared=true those in folders that others share with them, which say whose they are and whether the person may write there.',
  query: v.strictObject({
    folder_id: v.optional(contents.folder_id),
    shared: v.optional(
      v.pipe(v.picklist(['true', 'false']), v.description('true: those of shared folders instead.')),
    ),
    cursor,
    limit,
  }),
  status: 200,
  answer: pageOf(category),
  example: { query: 'limit=10' },
  async run({ library, query }) {
    const { name, id } = readNamedPlace(query.cursor);
    const isShared = query.shared === 'true';
    const { rows } = await library.read<CategoryRow>({
      name: isShared ? 'api_list_shared_categories' : 'api_list_categories',
      text: `${isShared ? SELECT_SHARED : SELECT} and ($4::uuid is null or c.folder_id = $4) and (c.name, c.id) > ($1, $2::uuid)
        order by c.name, c.id limit $3`,
      values: [name, id, query.limit + 1, query.folder_id ?? null],
    });
    const page = rows.slice(0, query.limit);
    return {
      body: presentPage(page, rows.length > query.limit, (count) => writeNamedPlace(page[count - 1])),
    };
  },
});

const create = defineOperation({
  name: 'createCategory',
  method: 'POST',
  path: '/categories',
  summary: 'Make a category',
  description:
    'Private, until the person shares it in the app. In a shared folder, where the person may write there, it is the owner’s and seen by all members.',
  content: v.strictObject({
    name: contents.category_name,
    folder_id: contents.folder_id,
    description: v.optional(contents.category_description),
  }),
  status: 201,
  answer: category,
  problems: ['limit_reached'],
  example: { content: { name: 'Bolos', folder_id: '$FOLDER_ID' }, idempotencyKey: '8d1f7b0e-categoria' },
  async run({ library, body }) {
    const { name, description, folder_id } = readContent(categoryFormSchema, body);
    const id = await writeOne(library, {
      name: 'api_create_category',
      text: 'insert into public.categories (name, description, folder_id) values ($1, $2, $3) returning id',
      values: [name, description, folder_id],
    });
    return { body: await requireCategory(library, id), location: `/categories/${id}` };
  },
});

const get = defineOperation({
  name: 'getCategory',
  method: 'GET',
  path: '/categories/{id}',
  summary: 'Read a category',
  status: 200,
  answer: category,
  problems: ['not_found'],
  example: {},
  async run({ library, id }) {
    return { body: await requireCategory(library, id) };
  },
});

const changeSchema = v.partial(categoryFormSchema);

const change = defineOperation({
  name: 'updateCategory',
  method: 'PATCH',
  path: '/categories/{id}',
  summary: 'Change or move a category',
  description:
    'What is left out stays as it is. Name and description of a category in a shared folder are changed by whoever may write there; its owner alone moves it.',
  content: v.strictObject({
    name: v.optional(contents.category_name),
    folder_id: v.optional(contents.folder_id),
    description: v.optional(contents.category_description),
  }),
  status: 200,
  answer: category,
  problems: ['not_found'],
  example: { content: { description: 'Doces e salgados' } },
  async run({ library, id, body }) {
    const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
    const { name, description, folder_id } = readContent(changeSchema, given);
    await writeOne(library, {
      name: 'api_update_category',
      // Whose it may be the policies know; a category moves by its owner alone.
      text: `update public.categories c
        set name = coalesce($2, c.name), folder_id = coalesce($3, c.folder_id), description = case when $4 then $5 else c.description end
        where c.id = $1 and ($3::uuid is null or c.user_id = (select auth.uid())) returning c.id`,
      values: [id, name ?? null, folder_id ?? null, 'description' in given, description ?? null],
    });
    return { body: await requireCategory(library, id) };
  },
});

const remove = defineOperation({
  name: 'deleteCategory',
  method: 'DELETE',
  path: '/categories/{id}',
  summary: 'Put a category into the bin',
  description: 'With its links. The person brings all of it back within thirty days.',
  status: 204,
  problems: ['not_found'],
  example: {},
  async run({ library, id }) {
    await writeOne(library, {
      name: 'api_delete_category',
      text: 'delete from public.categories c where c.id = $1 and c.user_id = (select auth.uid()) returning c.id',
      values: [id],
    });
    return {};
  },
});

/** The id of the row that was written. @throws Problem not_found */
async function writeOne(library: Library, statement: Statement): Promise<string> {
  const { rows } = await library.write<{ id: string }>(statement);
  const [row] = rows;
  if (row === undefined) throw new Problem('not_found');
  return row.id;
}

/** One's own, or one of a shared folder. @throws Problem not_found */
async function requireCategory(library: Library, id: string): Promise<CategoryRow> {
  const row = (await findCategory(library, id, SELECT)) ?? (await findCategory(library, id, SELECT_SHARED));
  if (row === undefined) throw new Problem('not_found');
  return row;
}

async function findCategory(
  library: Library,
  id: string,
  select: typeof SELECT | typeof SELECT_SHARED,
): Promise<CategoryRow | undefined> {
  const { rows } = await library.read<CategoryRow>({
    name: select === SELECT ? 'api_get_category' : 'api_get_shared_category',
    text: `${select} and c.id = $1`,
    values: [id],
  });
  return rows[0];
}

export const CATEGORY_OPERATIONS: readonly Operation[] = [list, create, get, change, remove];
