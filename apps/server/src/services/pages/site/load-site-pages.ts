import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SITE_PAGE_MARKS, SITE_PAGES } from '@linkoteca/domain/sharing';

export type SitePage = {
  readonly path: string;
  /** Complete, with what this installation fills in. */
  readonly html: string;
};

export type Installation = {
  /** Without a slash at its end. */
  readonly origin: string;
  readonly supportEmail: string;
};

/** Reads the site's own pages as the web app's build drew them; null where it was not built. */
export function loadSitePages(
  webFolder: string,
  { origin, supportEmail }: Installation,
): readonly SitePage[] | null {
  const folder = join(webFolder, '.server/site');
  if (!existsSync(folder)) return null;
  return SITE_PAGES.map(({ name, path }) => ({
    path,
    html: readFileSync(join(folder, `${name}.html`), 'utf8')
      .replaceAll(SITE_PAGE_MARKS.origin, () => origin)
      .replaceAll(SITE_PAGE_MARKS.support, () => supportEmail),
  }));
}
