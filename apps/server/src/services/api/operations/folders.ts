import { folderFormSchema } from '@linkoteca/domain/library-schemas';
import * as v from 'valibot';
import type { Library } from '../../../library/library.ts';
import { momentText } from '../../../library/read-links.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { cursor, limit, presentPage, readNamedPlace, writeNamedPlace } from '../paging.ts';
import { Problem } from '../problem.ts';
import { readContent } from '../read-input.ts';
import { contents, folder, pageOf } from '../resources.ts';

type FolderRow = v.InferOutput<typeof folder>;

const COLUMNS = `f.id, f.name, ${momentText('f.created_at')} as created_at, ${momentText('f.updated_at')} as updated_at`;

const list = defineOperation({
  name: 'listFolders',
  method: 'GET',
  path: '/folders',
  summary: 'List folders by name',
  query: v.strictObject({ cursor, limit }),
  status: 200,
  answer: pageOf(folder),
  example: {},
  async run({ library, query }) {
    const { name, id } = readNamedPlace(query.cursor);
    const { rows } = await library.read<FolderRow>({
      name: 'api_list_folders',
      text: `select ${COLUMNS} from public.folders f
        where f.user_id = (select auth.uid()) and (f.name, f.id) > ($1, $2::uuid)
        order by f.name, f.id limit $3`,
      values: [name, id, query.limit + 1],
    });
    const page = rows.slice(0, query.limit);
    return {
      body: presentPage(page, rows.length > query.limit, (count) => writeNamedPlace(page[count - 1])),
    };
  },
});

const create = defineOperation({
  name: 'createFolder',
  method: 'POST',
  path: '/folders',
  summary: 'Make a folder',
  content: v.strictObject({ name: contents.folder_name }),
  status: 201,
  answer: folder,
  problems: ['already_exists', 'limit_reached'],
  example: { content: { name: 'Cozinha' }, idempotencyKey: '8d1f7b0e-pasta' },
  async run({ library, body }) {
    const { name } = readContent(folderFormSchema, body);
    const { rows } = await library.write<FolderRow>({
      name: 'api_create_folder',
      text: `insert into public.folders as f (name) values ($1) returning ${COLUMNS}`,
      values: [name],
    });
    return { body: required(rows), location: `/folders/${rows[0]?.id}` };
  },
});

const get = defineOperation({
  name: 'getFolder',
  method: 'GET',
  path: '/folders/{id}',
  summary: 'Read a folder',
  status: 200,
  answer: folder,
  problems: ['not_found'],
  example: {},
  async run({ library, id }) {
    const { rows } = await library.read<FolderRow>({
      name: 'api_get_folder',
      text: `select ${COLUMNS} from public.folders f where f.id = $1 and f.user_id = (select auth.uid())`,
      values: [id],
    });
    return { body: required(rows) };
  },
});

const change = defineOperation({
  name: 'updateFolder',
  method: 'PATCH',
  path: '/folders/{id}',
  summary: 'Rename a folder',
  content: v.strictObject({ name: contents.folder_name }),
  status: 200,
  answer: folder,
  problems: ['not_found', 'already_exists'],
  example: { content: { name: 'Cozinha de casa' } },
  async run({ library, id, body }) {
    const { name } = readContent(folderFormSchema, body);
    const { rows } = await library.write<FolderRow>({
      name: 'api_rename_folder',
      text: `update public.folders f set name = $2 where f.id = $1 and f.user_id = (select auth.uid()) returning ${COLUMNS}`,
      values: [id, name],
    });
    return { body: required(rows) };
  },
});

const remove = defineOperation({
  name: 'deleteFolder',
  method: 'DELETE',
  path: '/folders/{id}',
  summary: 'Put a folder into the bin',
  description: 'With its categories and links. The person brings all of it back within thirty days.',
  status: 204,
  problems: ['not_found'],
  example: {},
  async run({ library, id }) {
    await deleteFolder(library, id);
    return {};
  },
});

async function deleteFolder(library: Library, id: string): Promise<void> {
  const { rows } = await library.write({
    name: 'api_delete_folder',
    text: 'delete from public.folders f where f.id = $1 and f.user_id = (select auth.uid()) returning f.id',
    values: [id],
  });
  if (rows.length === 0) throw new Problem('not_found');
}

function required(rows: readonly FolderRow[]): FolderRow {
  const [row] = rows;
  if (row === undefined) throw new Problem('not_found');
  return row;
}

export const FOLDER_OPERATIONS: readonly Operation[] = [list, create, get, change, remove];
