import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rootFolder } from './ensure-installed.mjs';
import { runTool } from './run-tool.mjs';

const extension = join(rootFolder, 'apps/extension');
const MARK = join(rootFolder, 'apps/web/public/favicon.svg');

/**
 * Builds the extension: `apps/extension/dist/chromium` and `dist/firefox`, each complete, to be loaded as they are.
 * @throws {Error} the build's own words.
 */
export async function buildExtension() {
  const dist = join(extension, 'dist');
  await rm(dist, { recursive: true, force: true });
  const common = join(dist, 'common');
  const { code, output } = await runTool('vite', ['build', '--logLevel', 'warn'], extension, {
    NODE_ENV: 'production',
  });
  if (code !== 0) throw new Error(output.trim());
  const { BROWSERS, buildManifest, ICON_SIZES } = await import(
    pathToFileURL(join(extension, 'src/manifest.ts')).href
  );
  await drawIcons(join(common, 'icons'), ICON_SIZES);
  await cp(join(extension, 'locales'), join(common, '_locales'), { recursive: true });
  const { version } = JSON.parse(await readFile(join(extension, 'package.json'), 'utf8'));
  for (const browser of BROWSERS) {
    const folder = join(dist, browser);
    await cp(common, folder, { recursive: true });
    await writeFile(
      join(folder, 'manifest.json'),
      `${JSON.stringify(buildManifest(browser, version), null, 2)}\n`,
    );
  }
  await rm(common, { recursive: true });
}

/** The product's own mark in each size. */
async function drawIcons(folder, sizes) {
  const { Resvg } = await import('@resvg/resvg-js');
  const mark = await readFile(MARK, 'utf8');
  await mkdir(folder, { recursive: true });
  for (const size of sizes) {
    const picture = new Resvg(mark, { fitTo: { mode: 'width', value: size } }).render().asPng();
    await writeFile(join(folder, `icon-${size}.png`), picture);
  }
}

if (import.meta.filename === process.argv[1]) {
  await buildExtension();
  console.log('apps/extension/dist/chromium, apps/extension/dist/firefox');
}
