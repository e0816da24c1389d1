import type { SharedFolder, SharedPageRenderer } from '@linkoteca/domain/sharing';
import type { Database } from '../../kernel/database.ts';
import type { RegisterPages } from '../../kernel/gateway/register-web-app.ts';
import { buildPageHeaders } from './build-page-headers.ts';
import { createDocumentCache } from './create-document-cache.ts';
import type { PagePainter } from './image/create-page-painter.ts';
import { readSharedFolder } from './read-shared-folder.ts';
import { readSharedPage, type SharedPageQuery, type SharedPageText } from './read-shared-page.ts';
import { serveFolder } from './routes/serve-folder.ts';
import { serveEmbed, serveFeeds, servePage, servePicture } from './routes/serve-page.ts';
import { serveSecretFeeds } from './routes/serve-secret-feeds.ts';

export type PagesServiceDeps = {
  readonly db: Database;
  readonly renderer: SharedPageRenderer;
  /** Of the renderer: another one draws other pages from the same rows. */
  readonly version: string;
  readonly siteUrl: string;
  readonly anonKey: string;
  /** Draws the picture that chats show, as PNG. */
  readonly paint: PagePainter;
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
  const shareFolder = shareReads<SharedFolder | null>();
  const readFolder = (id: string) => shareFolder(id, () => readSharedFolder(db, id));
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
    serveFolder(scope, { ...context, readFolder });
    serveSecretFeeds(scope, { ...context, db });
  };
}

/**
 * Lets whoever asks for the same thing at the same time be answered by one read, and never by one that began before they
 * asked: while a read of a key is under way, all who come wait together for the next. So a page that everybody opens costs the
 * database one read at a time, and each answer is as fresh as if it had been read for it alone.
 */
export function shareReads<T>(): (key: string, read: () => Promise<T>) => Promise<T> {
  const underWay = new Map<string, { readonly done: Promise<unknown>; next?: Promise<T> }>();

  const begin = (key: string, read: () => Promise<T>): Promise<T> => {
    const reading = read();
    const entry = { done: reading.then(ignore, ignore) };
    underWay.set(key, entry);
    void entry.done.then(() => {
      // The next read, if anybody waits for one, has taken the place in the meantime.
      if (underWay.get(key) === entry) underWay.delete(key);
    });
    return reading;
  };

  return (key, read) => {
    const current = underWay.get(key);
    if (current === undefined) return begin(key, read);
    current.next ??= current.done.then(() => begin(key, read));
    return current.next;
  };
}

function ignore(): void {
  // The outcome is for those who asked.
}
