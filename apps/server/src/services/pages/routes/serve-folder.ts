import { readSharedId, type SharedFolder } from '@linkoteca/domain/sharing';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sendDocument } from '../send-document.ts';
import { failWith, HTML, OWN_HEADERS, type PageContext, sendMissing } from './page-context.ts';

export type FolderContext = PageContext & {
  /** Reads a folder as a visitor; null when it is not theirs to see. */
  readonly readFolder: (folderId: string) => Promise<SharedFolder | null>;
};

/**
 * `GET /shared/pasta/:segment`: the public categories of a public folder, and `/image.png`: what chats and networks show of it. Whatever is
 * none is answered by the app, as any address that leads nowhere.
 */
export function serveFolder(scope: FastifyInstance, context: FolderContext): void {
  const { readFolder, cache, headers, renderer, site, paint, sendApp } = context;
  const find = async ({ params }: FastifyRequest) => {
    const id = readSharedId((params as { readonly segment: string }).segment);
    return id === null ? null : readFolder(id);
  };

  const page = { ...OWN_HEADERS, errorHandler: failWith(context, 'page') };
  scope.get('/shared/pasta/:segment', page, async (request, reply) => {
    const folder = await find(request);
    if (folder === null) return sendApp(reply.code(404).header('x-robots-tag', 'noindex'));
    return sendDocument(cache, request, reply.headers(headers.page), {
      kind: 'folder',
      state: JSON.stringify(folder),
      type: HTML,
      compressible: true,
      draw: () => renderer.renderFolder(folder, site),
    });
  });

  const picture = { ...OWN_HEADERS, errorHandler: failWith(context, 'data') };
  scope.get('/shared/pasta/:segment/image.png', picture, async (request, reply) => {
    const folder = await find(request);
    if (folder === null) return sendMissing(context, reply);
    const shown = {
      name: folder.name,
      owner_name: folder.owner_name,
      link_count: folder.categories.reduce((sum, { link_count }) => sum + link_count, 0),
    };
    return sendDocument(cache, request, reply.headers(headers.data), {
      kind: 'image',
      state: JSON.stringify(Object.values(shown)),
      type: 'image/png',
      compressible: false,
      draw: () => paint(shown),
    });
  });
}
