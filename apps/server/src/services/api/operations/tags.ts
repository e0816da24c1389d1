import { readTagName } from '@linkoteca/domain/tags';
import * as v from 'valibot';
import { momentText } from '../../../library/read-links.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { cursor, limit, presentPage, readNamedPlace, writeNamedPlace } from '../paging.ts';
import { Problem } from '../problem.ts';
import { contents, pageOf, tag } from '../resources.ts';
import { wrongField } from './links.ts';

type TagRow = v.InferOutput<typeof tag>;

const COLUMNS = `t.id, t.name, t.color, t.link_count, ${momentText('t.created_at')} as created_at`;

const list = defineOperation({
  name: 'listTags',
  method: 'GET',
  path: '/tags',
  summary: 'List tags in alphabetical order',
  description: 'Tags are made by giving them to links. The links of one: GET /search?q=tag:NAME.',
  query: v.strictObject({ cursor, limit }),
  status: 200,
  answer: pageOf(tag),
  example: {},
  async run({ library, query }) {
    const { name, id } = readNamedPlace(query.cursor);
    const { rows } = await library.read<TagRow & { readonly folded: string }>({
      name: 'api_list_tags',
      text: `select ${COLUMNS}, t.folded from public.tags t
        where t.user_id = (select auth.uid()) and (t.folded, t.id) > ($1, $2::uuid)
        order by t.folded, t.id limit $3`,
      values: [name, id, query.limit + 1],
    });
    const page = rows.slice(0, query.limit);
    const shown = page.map(({ folded: _, ...row }) => row);
    const placeOf = (row: (typeof page)[number] | undefined) => row && { name: row.folded, id: row.id };
    return {
      body: presentPage(shown, rows.length > query.limit, (count) =>
        writeNamedPlace(placeOf(page[count - 1])),
      ),
    };
  },
});

const change = defineOperation({
  name: 'updateTag',
  method: 'PATCH',
  path: '/tags/{id}',
  summary: 'Rename a tag',
  content: v.strictObject({ name: contents.tag_name }),
  status: 200,
  answer: tag,
  problems: ['not_found', 'already_exists'],
  example: { content: { name: 'sobremesas' } },
  async run({ library, id, body }) {
    const name = readTagName(body.name);
    if (name === null) throw wrongField({ field: 'name', message: 'O nome da tag é obrigatório' });
    const { rows } = await library.write<TagRow>({
      name: 'api_rename_tag',
      text: `update public.tags t set name = $2 where t.id = $1 and t.user_id = (select auth.uid()) returning ${COLUMNS}`,
      values: [id, name],
    });
    const [row] = rows;
    if (row === undefined) throw new Problem('not_found');
    return { body: row };
  },
});

const remove = defineOperation({
  name: 'deleteTag',
  method: 'DELETE',
  path: '/tags/{id}',
  summary: 'Delete a tag',
  description: 'Links lose it; they stay.',
  status: 204,
  problems: ['not_found'],
  example: {},
  async run({ library, id }) {
    await library.write({
      name: 'api_delete_tag',
      text: 'select public.delete_tags(array[$1::uuid])',
      values: [id],
    });
    return {};
  },
});

export const TAG_OPERATIONS: readonly Operation[] = [list, change, remove];
