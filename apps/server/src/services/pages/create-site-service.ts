import type { FastifyInstance } from 'fastify';
import type { RegisterPages } from '../../kernel/gateway/register-web-app.ts';
import { createDocumentCache, SMALLEST } from './create-document-cache.ts';
import { HTML, OWN_HEADERS } from './routes/page-context.ts';
import { sendDocument } from './send-document.ts';
import type { SitePage } from './site/load-site-pages.ts';
import { buildSiteHeaders, writeRobots, writeSitemap } from './site/site-headers.ts';

export type SiteServiceDeps = {
  readonly pages: readonly SitePage[];
  readonly siteUrl: string;
};

/** Screens of the app that a search engine may list beside the site's own pages. */
const OPEN_SCREENS = ['/login', '/signup'];

/** The pages of the site itself, which the build has drawn, and what search engines ask for (decision 0041). */
export function createSiteService({ pages, siteUrl }: SiteServiceDeps): RegisterPages {
  const { origin } = new URL(siteUrl);
  const cache = createDocumentCache('site', SMALLEST);
  const texts = [
    { path: '/robots.txt', type: 'text/plain', text: writeRobots(origin) },
    {
      path: '/sitemap.xml',
      type: 'application/xml',
      text: writeSitemap(origin, [...pages.map(({ path }) => path), ...OPEN_SCREENS]),
    },
  ];
  return async (scope) => {
    for (const page of pages) servePage(scope, page);
    for (const { path, type, text } of texts) serveText(scope, path, `${type}; charset=utf-8`, text);
  };

  function servePage(scope: FastifyInstance, { path, html }: SitePage) {
    const headers = buildSiteHeaders(html, siteUrl);
    scope.get(path, OWN_HEADERS, (request, reply) =>
      sendDocument(cache, request, reply.headers(headers), {
        kind: path,
        state: html,
        type: HTML,
        compressible: true,
        draw: () => html,
      }),
    );
    // One address a page: what is appended by hand leads to it.
    if (path !== '/') scope.get(`${path}/`, OWN_HEADERS, (_request, reply) => reply.redirect(path, 301));
  }

  function serveText(scope: FastifyInstance, path: string, type: string, text: string) {
    scope.get(path, (request, reply) =>
      sendDocument(cache, request, reply, {
        kind: path,
        state: text,
        type,
        compressible: true,
        draw: () => text,
      }),
    );
  }
}
