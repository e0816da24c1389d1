import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { rootFolder } from './ensure-installed.mjs';
import { removeLeftovers, replaceFolder } from './replace-folder.mjs';
import { runTool } from './run-tool.mjs';

const webFolder = join(rootFolder, 'apps/web');
const outputFolder = join(webFolder, 'dist');
const STAMP = '.build-stamp';

/** Everything the build reads: the app, the packages it imports, and the versions of what it is built with. */
const INPUTS = [
  'apps/web',
  'packages/domain',
  'packages/database-types',
  'packages/design',
  'package-lock.json',
  'tsconfig.base.json',
];
const NO_INPUT = /^(?:dist(?:\..*)?|node_modules|\.vite)$/;

/**
 * Builds the web app when anything it is made of has changed since the last build, and compresses what it wrote. It is made
 * beside `dist` and takes its place when it is complete: a server that starts meanwhile finds the last build, never half of one.
 * @param {{ say?: (line: string) => void }} [options] `say` gets one line before the work starts.
 * @returns {Promise<boolean>} whether it was built.
 * @throws {Error} one line that says what to do, with the build's own words before it.
 */
export async function buildWeb({ say = () => {} } = {}) {
  const wanted = await hashInputs();
  if ((await readStamp()) === wanted) return false;
  say('Construindo a aplicação web (alguns segundos) …');
  await removeLeftovers(outputFolder, new Date());
  const folder = `${outputFolder}.next-${process.pid}`;
  try {
    await buildInto(folder);
    await writeFile(join(folder, STAMP), wanted);
    await replaceFolder(folder, outputFolder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return true;
}

async function buildInto(folder) {
  await runBuild(['--outDir', folder]);
  await writeFirstPictures(folder);
  await sealPage(folder);
  await compressFolder(folder);
  // It names files that the first build wrote.
  const server = join(folder, '.server');
  await runBuild(['--config', 'vite.drawn-pages.config.ts', '--outDir', server]);
  await writeSitePages(folder, server);
  await writeViewer(join(server, 'viewer'));
}

/** Writes into the app's page what it shows before its code has come. */
async function writeFirstPictures(folder) {
  const drawing = join(folder, '.first-picture');
  const entry = 'src/app/first-picture/draw-first-pictures.tsx';
  await runBuild(['--config', 'vite.drawn-pages.config.ts', '--ssr', entry, '--outDir', drawing]);
  const { drawFirstPictures } = await importAnew(join(drawing, 'public-page.mjs'));
  const page = join(folder, 'index.html');
  const html = await readFile(page, 'utf8');
  const place = '<div id="root"></div>';
  if (!html.includes(place)) throw new Error(`index.html has no ${place}`);
  const pictures = await drawFirstPictures();
  await writeFile(
    page,
    html.replace(place, () => place + pictures),
  );
  await rm(drawing, { recursive: true });
}

/**
 * Has the service worker keep this very page: while copies of the server are replaced, one of another version may answer for it, and what is kept
 * under this version's name is never asked for again.
 */
async function sealPage(folder) {
  const worker = join(folder, 'sw.js');
  const script = await readFile(worker, 'utf8');
  // One that takes itself out of every browser keeps nothing.
  if (!script.includes('index.html')) return;
  const entry = /\{url:"index\.html",revision:"[0-9a-f]{32}"\}/;
  if (!entry.test(script)) throw new Error('sw.js keeps index.html in another form');
  const sum = createHash('sha256').update(await readFile(join(folder, 'index.html')));
  const integrity = `sha256-${sum.digest('base64')}`;
  const sealed = `{url:"index.html",revision:"${integrity}",integrity:"${integrity}"}`;
  await writeFile(
    worker,
    script.replace(entry, () => sealed),
  );
}

/** A process that builds twice would be given the first module again. */
const importAnew = (file) => import(`${pathToFileURL(file).href}?${Date.now()}`);

/** Writes the site's own pages where the server finds them, and puts their pictures beside the app's own. */
async function writeSitePages(folder, server) {
  const { drawSitePages } = await importAnew(join(server, 'public-page.mjs'));
  await mkdir(join(server, 'site'));
  await Promise.all([
    ...Object.entries(drawSitePages()).map(([name, html]) =>
      writeFile(join(server, `site/${name}.html`), html),
    ),
    cp(join(server, 'assets'), join(folder, 'assets'), { recursive: true }),
  ]);
  await rm(join(server, 'assets'), { recursive: true });
}

/** The published viewer of the API's document, compressed: the server sends it as it is (apps/server/src/services/api/viewer.ts). */
async function writeViewer(folder) {
  await mkdir(folder);
  const files = {
    'viewer.js': import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js'),
    'viewer.css': import.meta.resolve('swagger-ui-dist/swagger-ui.css'),
  };
  for (const [name, address] of Object.entries(files))
    await writeFile(join(folder, `${name}.gz`), await toGzip(await readFile(new URL(address)), { level: 9 }));
}

async function runBuild(options) {
  const args = ['build', '--logLevel', 'warn', ...options];
  // Whatever the shell has: React of another mode cannot draw the site's pages.
  const { code, output } = await runTool('vite', args, webFolder, { NODE_ENV: 'production' });
  if (code === 0) return;
  throw new Error(
    `${output.trim()}\nA aplicação web não pôde ser construída: corrija o erro acima e tente de novo.`,
  );
}

async function readStamp() {
  try {
    return await readFile(join(outputFolder, STAMP), 'utf8');
  } catch {
    return '';
  }
}

async function hashInputs() {
  const hash = createHash('sha256');
  const files = (await Promise.all(INPUTS.map((path) => listFiles(join(rootFolder, path))))).flat();
  for (const file of files) {
    hash.update(relative(rootFolder, file));
    hash.update('\0');
    hash.update(await readFile(file));
    hash.update('\0');
  }
  return hash.digest('hex');
}

/** In a fixed order, so that the same files give the same hash everywhere. */
async function listFiles(path) {
  const found = await stat(path).catch(() => null);
  if (found === null) return [];
  if (!found.isDirectory()) return [path];
  const names = (await readdir(path)).filter((name) => !NO_INPUT.test(name)).sort();
  return (await Promise.all(names.map((name) => listFiles(join(path, name))))).flat();
}

/** What is text; fonts and images are compressed already. */
const COMPRESSIBLE = /\.(?:html|css|js|mjs|json|svg|txt|xml|webmanifest|ico)$/;
/** Below this the headers weigh more than what is saved. */
const SMALLEST_BYTES = 1024;
const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** Writes `NAME.br` and `NAME.gz` beside each file that gains by it; the server sends the one the browser accepts. */
async function compressFolder(folder) {
  const files = (await listFiles(folder)).filter((file) => COMPRESSIBLE.test(file));
  await Promise.all(
    files.map(async (file) => {
      const content = await readFile(file);
      if (content.length < SMALLEST_BYTES) return;
      const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
      const [brotli, gzipped] = await Promise.all([
        toBrotli(content, { params: quality }),
        toGzip(content, { level: constants.Z_BEST_COMPRESSION }),
      ]);
      if (brotli.length < content.length) await writeFile(`${file}.br`, brotli);
      if (gzipped.length < content.length) await writeFile(`${file}.gz`, gzipped);
    }),
  );
}
