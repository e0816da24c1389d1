import { SITE_PAGE_MARKS, SITE_PAGES } from '@linkoteca/domain/sharing';
import type { Plugin } from 'vite';

interface DrawnPages {
  readonly drawSitePages: () => Readonly<Record<string, string>>;
}

const SOURCE = '/src/drawn-pages/main.ts';
/** The server of the services fills in what its operator has set; nobody writes to this one. */
const SUPPORT = 'suporte@localhost';

/**
 * In development the site's own pages are drawn anew at every request, from their source: the build writes them down for the
 * server, which is not asked for pages here. Other addresses are the app's.
 */
export function serveSitePages(): Plugin {
  return {
    name: 'linkoteca:serve-site-pages',
    apply: 'serve',
    configureServer(server) {
      server.middlewares.use(async (request, response, next) => {
        const { pathname } = new URL(request.originalUrl ?? '/', 'http://localhost');
        const page = SITE_PAGES.find(({ path }) => path === pathname);
        if (request.method !== 'GET' || page === undefined) return next();
        try {
          const { drawSitePages } = (await server.ssrLoadModule(SOURCE)) as DrawnPages;
          const html = (drawSitePages()[page.name] ?? '')
            .replaceAll(SITE_PAGE_MARKS.origin, () => `http://${request.headers.host ?? 'localhost'}`)
            .replaceAll(SITE_PAGE_MARKS.support, () => SUPPORT);
          response.writeHead(200, {
            'content-type': 'text/html; charset=utf-8',
            'cache-control': 'no-store',
          });
          response.end(html);
        } catch (error) {
          next(error);
        }
      });
    },
  };
}
