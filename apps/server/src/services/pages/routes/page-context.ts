import type { SharedPage, SharedPageRenderer, SharedPageSite } from '@linkoteca/domain/sharing';
import type { FastifyReply } from 'fastify';
import type { PageHeaders } from '../build-page-headers.ts';
import type { DocumentCache } from '../create-document-cache.ts';
import type { SharedPageQuery, SharedPageText } from '../read-shared-page.ts';

/** What every route of the room answers with. */
export type PageContext = {
  /** Reads a page as a visitor; null when it is not theirs to see. */
  readonly read: (query: SharedPageQuery) => Promise<SharedPageText | null>;
  readonly renderer: SharedPageRenderer;
  readonly site: SharedPageSite;
  readonly headers: PageHeaders;
  readonly cache: DocumentCache;
  /** Draws the picture that chats show, as PNG. */
  readonly paint: (page: SharedPage) => Promise<Buffer>;
  /** Answers with the web app's page, with the status already set. */
  readonly sendApp: (reply: FastifyReply) => FastifyReply;
};

/** Its headers are known beforehand: nothing has to be put together for each of many requests. */
export const OWN_HEADERS = { helmet: false } as const;

export const HTML = 'text/html; charset=utf-8';
