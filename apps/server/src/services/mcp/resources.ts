import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ErrorCode, McpError, type ReadResourceResult } from '@modelcontextprotocol/sdk/types.js';
import { BEGINNING } from '../../library/cursor.ts';
import type { ToolContext } from './tool.ts';
import { NOTICE } from './tool-answer.ts';
import { describeFailure } from './tool-refusal.ts';
import { showFolders } from './tools/list-folders.ts';
import { showLinks } from './tools/list-links.ts';

const FOLDERS = 'linkoteca://pastas';
const CATEGORY = 'linkoteca://categorias/';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Of categories in a list of resources: programs show them in a menu. */
const MOST_LISTED = 100;

/** What a person attaches to a conversation: the folders with their categories, and the links of a category as far as an answer holds them. */
export function registerResources(server: McpServer, context: ToolContext): void {
  const { library } = context;
  const format = { mimeType: 'application/json' };
  server.registerResource(
    'pastas',
    FOLDERS,
    { title: 'Pastas e categorias', description: 'Todas as pastas, com as suas categorias.', ...format },
    () => present(context, FOLDERS, () => showFolders(library, 0)),
  );
  const list = async () => {
    const { folders } = await guard(context, () => showFolders(library, 0));
    const all = folders.flatMap(({ name, categories }) =>
      categories.map((category) => ({
        uri: `${CATEGORY}${category.id}`,
        name: `${name} / ${category.name}`,
        ...format,
      })),
    );
    return { resources: all.slice(0, MOST_LISTED) };
  };
  server.registerResource(
    'categoria',
    new ResourceTemplate(`${CATEGORY}{id}`, { list }),
    {
      title: 'Links de uma categoria',
      description: 'Os links de uma categoria, os mais novos primeiro.',
      ...format,
    },
    (uri, { id }) => {
      if (typeof id !== 'string' || !UUID.test(id))
        throw new McpError(ErrorCode.InvalidParams, 'There is no such resource.');
      return present(context, uri.href, () => showLinks(library, { categoryId: id, after: BEGINNING }));
    },
  );
}

async function present(
  context: ToolContext,
  uri: string,
  read: () => Promise<object>,
): Promise<ReadResourceResult> {
  const body = await guard(context, read);
  const text = JSON.stringify({ notice: NOTICE, ...body });
  return { contents: [{ uri, mimeType: 'application/json', text }] };
}

/** As a tool's failure: what the program can act on is told, a fault of ours stays in the log. */
async function guard<T>({ onFailure }: ToolContext, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const told = describeFailure(error);
    if (told === undefined) onFailure(error);
    throw new McpError(
      told === undefined ? ErrorCode.InternalError : ErrorCode.InvalidParams,
      told ?? 'The server could not do this now. Try again later.',
    );
  }
}
