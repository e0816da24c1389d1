// `npm run store`: all that the stores of browsers ask for, in `apps/extension/dist/store/`: packages, texts, answers, pictures.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildExtension } from './build-extension.mjs';
import { buildWeb } from './build-web.mjs';
import { ensureInstalled, rootFolder } from './ensure-installed.mjs';
import { runTool } from './run-tool.mjs';

const extension = join(rootFolder, 'apps/extension');
const store = join(extension, 'dist/store');

await ensureInstalled();
await buildWeb();
await buildExtension();
const importOwn = (path) => import(pathToFileURL(join(extension, path)).href);
const { BROWSERS } = await importOwn('src/manifest.ts');
const { LANGUAGES, LISTINGS } = await importOwn('store/listing.ts');
const { writePrivacy } = await importOwn('store/write-privacy.ts');

for (const browser of BROWSERS) {
  const folder = join(extension, 'dist', browser);
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
  await mkdir(join(store, browser), { recursive: true });
  await writeFile(join(store, browser, `linkoteca-${manifest.version}.zip`), await pack(folder, manifest));
  const asked = [...manifest.permissions, ...manifest.optional_permissions];
  for (const language of LANGUAGES)
    await writeFile(
      join(store, browser, `privacy-${language}.txt`),
      writePrivacy(browser, LISTINGS[language], asked),
    );
}
for (const language of LANGUAGES) {
  const { locale, description } = LISTINGS[language];
  const { name, description: summary } = JSON.parse(
    await readFile(join(extension, 'locales', locale, 'messages.json'), 'utf8'),
  );
  const text = [name.message, summary.message, description, ''].join('\n\n');
  await writeFile(join(store, `listing-${language}.txt`), text);
}
const { code, output } = await runTool('node', ['e2e/src/take-store-pictures.ts'], rootFolder);
if (code !== 0) throw new Error(output);
console.log(relative(rootFolder, store));

/** The same files give the same package. A store gives the extension a key of its own and refuses ours. */
async function pack(folder, { key: _key, ...manifest }) {
  const { zipSync } = await import('fflate');
  const names = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
  const files = {};
  for (const name of names) files[name] = await readFile(join(folder, name));
  files['manifest.json'] = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  return zipSync(files, { level: 9, mtime: '1980-01-02T00:00:00Z' });
}
