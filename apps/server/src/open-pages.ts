import type { Database } from './kernel/database.ts';
import type { RegisterPages } from './kernel/gateway/register-web-app.ts';
import { createPagesService } from './services/pages/create-pages-service.ts';
import { createSiteService } from './services/pages/create-site-service.ts';
import { createPagePainter } from './services/pages/image/create-page-painter.ts';
import { loadPageRenderer } from './services/pages/load-page-renderer.ts';
import { loadSitePages } from './services/pages/site/load-site-pages.ts';

type PagesDeps = {
  /** What the web app's build wrote. */
  readonly webFolder: string;
  readonly db: Database;
  readonly siteUrl: string;
  readonly supportEmail: string;
  readonly anonKey: string;
};

/** The pages that need no app: those of the site itself, and public categories. Undefined where the app was not built. */
export async function openPages(deps: PagesDeps): Promise<RegisterPages | undefined> {
  const { webFolder, db, siteUrl, supportEmail, anonKey } = deps;
  const sitePages = loadSitePages(webFolder, { origin: new URL(siteUrl).origin, supportEmail });
  const drawing = await loadPageRenderer(webFolder);
  const services = [
    ...(sitePages === null ? [] : [createSiteService({ pages: sitePages, siteUrl })]),
    ...(drawing === null
      ? []
      : [createPagesService({ ...drawing, db, siteUrl, anonKey, paint: createPagePainter() })]),
  ];
  if (services.length === 0) return undefined;
  return async (scope, sendApp) => {
    for (const register of services) await register(scope, sendApp);
  };
}
