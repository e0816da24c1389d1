import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the whole project; relative settings start here. */
export const PROJECT_FOLDER = fileURLToPath(new URL('../../../', import.meta.url));

/** The SQL a database is built from, in the order in which it applies. */
export const MIGRATION_FOLDERS = {
  platformFolder: join(PROJECT_FOLDER, 'apps/server/platform'),
  migrationsFolder: join(PROJECT_FOLDER, 'supabase/migrations'),
};

/** In a packed program, what `scripts/build-package.mjs` makes of packages. */
const COMPILED_PACKAGES = join(PROJECT_FOLDER, 'packages/vendor');

/** Code that functions share with the rest, where the packages are that they import, and what is compiled of both. */
export const FUNCTION_SOURCES = {
  shared: [join(PROJECT_FOLDER, 'packages/domain/src'), COMPILED_PACKAGES].filter((path) => existsSync(path)),
  packagesFolder: PROJECT_FOLDER,
  cacheFolder: join(PROJECT_FOLDER, 'node_modules/.cache/node-functions'),
};

/** What the web app's build writes. */
export const WEB_FOLDER = join(PROJECT_FOLDER, 'apps/web/dist');
