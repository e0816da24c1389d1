import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Writes the pages that `vite.site-pages.config.ts` has drawn to `.server/site/NAME.html`, where the server finds them, and
 * their pictures beside the app's own. What drew them is no longer needed then.
 * @param {string} outputFolder what the web app's build wrote.
 */
export async function writeSitePages(outputFolder) {
  const drawn = join(outputFolder, '.site-pages');
  const folder = join(outputFolder, '.server/site');
  // A process that builds twice would be given the first module again.
  const { pages } = await import(`${pathToFileURL(join(drawn, 'site-pages.mjs')).href}?${Date.now()}`);
  await mkdir(folder, { recursive: true });
  await Promise.all([
    ...Object.entries(pages).map(([name, html]) => writeFile(join(folder, `${name}.html`), html)),
    cp(join(drawn, 'assets'), join(outputFolder, 'assets'), { recursive: true }),
  ]);
  await rm(drawn, { recursive: true });
}
