import type { SharedPage, SharedPageRenderer } from '@linkoteca/domain/shared-page';
import type { Database } from '../../kernel/database.ts';
import type { RegisterPages } from '../../kernel/gateway/register-web-app.ts';
import { buildPageHeaders } from './build-page-headers.ts';
import { createDocumentCache } from './create-document-cache.ts';
import { readSharedPage, type SharedPageQuery, type SharedPageText } from './read-shared-page.ts';
import { serveEmbed } from './routes/serve-embed.ts';
import { serveFeeds } from './routes/serve-feeds.ts';
import { servePage } from './routes/serve-page.ts';
import { servePicture } from './routes/serve-picture.ts';
import { shareReads } from './share-reads.ts';

export type PagesServiceDeps = {
  readonly db: Database;
  readonly renderer: SharedPageRenderer;
  /** Of the renderer: another one draws other pages from the same rows. */
  readonly version: string;
  readonly siteUrl: string;
  readonly anonKey: string;
  /** Draws the picture that chats show, as PNG. */
  readonly paint: (page: SharedPage) => Promise<Buffer>;
};

/**
 * The public pages of categories, drawn for whoever has the address, their feeds, pictures and frames (decision 0034). What
 * is not public to a visitor is answered by the app, which knows who is asking.
 */
export function createPagesService(deps: PagesServiceDeps): RegisterPages {
  const { db, renderer, paint, siteUrl, anonKey, version } = deps;
  const site = { origin: new URL(siteUrl).origin, anonKey };
  const share = shareReads<SharedPageText | null>();
  const read = ({ categoryId, before }: SharedPageQuery) =>
    share(`${categoryId} ${before}`, () => readSharedPage(db, { categoryId, before }));
  return async (scope, sendApp) => {
    const context = {
      read,
      renderer,
      paint,
      site,
      sendApp,
      headers: buildPageHeaders(renderer, siteUrl),
      cache: createDocumentCache(`${version}\0${JSON.stringify(site)}`),
    };
    for (const serve of [servePage, serveEmbed, servePicture, serveFeeds]) serve(scope, context);
  };
}
