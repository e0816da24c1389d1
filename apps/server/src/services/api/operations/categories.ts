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

const list = defineOperation({
  name: 'listCategories',
  method: 'GET',
  path: '/categories',
  summary: 'List the person’s own categories by name',
  query: v.strictObject({
    folder_id: v.optional(contents.folder_id),
    cursor,
    limit,
  }),
  status: 200,
  answer: pageOf(category),
  example: { query: 'limit=10' },
  async run({ library, query }) {
    const { name, id } = readNamedPlace(query.cursor);
    const { rows } = await library.read<CategoryRow>({
      name: 'api_list_categories',
      text: `${SELECT} and ($4::uuid is null or c.folder_id = $4) and (c.name, c.id) > ($1, $2::uuid)
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
  description: 'Private, until the person shares it in the app.',
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
  description: 'What is left out stays as it is.',
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
      text: `update public.categories c
        set name = coalesce($2, c.name), folder_id = coalesce($3, c.folder_id), description = case when $4 then $5 else c.description end
        where c.id = $1 and c.user_id = (select auth.uid()) returning c.id`,
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

async function requireCategory(library: Library, id: string): Promise<CategoryRow> {
  const { rows } = await library.read<CategoryRow>({
    name: 'api_get_category',
    text: `${SELECT} and c.id = $1`,
    values: [id],
  });
  const [row] = rows;
  if (row === undefined) throw new Problem('not_found');
  return row;
}

export const CATEGORY_OPERATIONS: readonly Operation[] = [list, create, get, change, remove];
