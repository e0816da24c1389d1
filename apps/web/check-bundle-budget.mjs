#!/usr/bin/env node
// Fails when a route's first download grows over its budget. Reads the build's manifest and sums, gzipped, everything
// that must arrive before the route can be shown: the entry, the route's chunks and their static imports. Fails, too, when
// one of these files lost its compile hint, or the page does not fetch it early for a saved sign-in (preload-entry-chunks.ts).
// Pages that are drawn beforehand carry their style and scripts inside and fetch none: what stands in them is weighed.
// Usage: node check-bundle-budget.mjs [DIST_FOLDER]

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

const entry = 'index.html';
const shell = 'src/app/shell/guarded-shell.tsx';

/** Kilobytes (1000 bytes) after gzip. */
const budgets = [
  {
    route: '/login',
    chunks: [entry, 'src/features/auth/components/login-screen.tsx'],
    javascript: 160,
    // The whole app's style sheet: the screens behind it brought the last words of it.
    style: 12,
  },
  {
    route: '/dashboard',
    chunks: [entry, shell, 'src/app/pages/dashboard-route.tsx'],
    javascript: 204,
    style: 12,
  },
  {
    route: '/category/:categoryId',
    chunks: [entry, shell, 'src/app/pages/category-route.tsx'],
    javascript: 230,
    style: 12,
  },
];

const dist = process.argv[2] ?? fileURLToPath(new URL('dist', import.meta.url));
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));

/** Files of the chunks and of all they import statically. */
function closureOf(chunks) {
  const files = new Set();
  const seen = new Set();
  const visit = (name) => {
    if (seen.has(name)) return;
    seen.add(name);
    const chunk = manifest[name];
    if (!chunk) throw new Error(`the manifest has no chunk '${name}': was it renamed?`);
    files.add(chunk.file);
    for (const style of chunk.css ?? []) files.add(style);
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  for (const name of chunks) visit(name);
  return [...files];
}

function kilobytesOf(files, ending) {
  const bytes = files
    .filter((file) => file.endsWith(ending))
    .map((file) => gzipSync(readFileSync(join(dist, file))).length);
  return bytes.reduce((sum, size) => sum + size, 0) / 1000;
}

const page = readFileSync(join(dist, entry), 'utf8');

/** What slows the first picture down without making it larger. */
function listDelays(files) {
  const scripts = files.filter((file) => file.endsWith('.js'));
  return [
    ...scripts
      .filter((file) => !readFileSync(join(dist, file), 'utf8').startsWith('//# allFunctionsCalledOnLoad\n'))
      .map((file) => `${file} has no compile hint`),
    ...scripts.filter((file) => !page.includes(file)).map((file) => `${file} is not fetched early`),
  ];
}

let over = false;
// By its one mention in the page a running build knows that it is not the newest (build-id.ts). An entry that other files import
// is mentioned twice.
if (page.split(manifest[entry].file).length !== 2) {
  console.log(
    `TWICE ${manifest[entry].file} is imported by what it imports: name the part it holds in bundle-groups.ts`,
  );
  over = true;
}
function report(route, kind, size, cap) {
  const verdict = size > cap ? 'OVER' : 'ok';
  over ||= size > cap;
  console.log(`${verdict.padEnd(5)}${route.padEnd(22)}${kind.padEnd(11)}${size.toFixed(1)} of ${cap} kB`);
}

for (const { route, chunks, javascript, style } of budgets) {
  const files = closureOf(chunks);
  // The sign-in screen's own few kilobytes come with the router: nobody who opens it has a saved sign-in.
  const delays = route === '/login' ? [] : listDelays(files);
  for (const delay of delays) console.log(`SLOW ${route.padEnd(22)}${delay}`);
  over ||= delays.length > 0;
  for (const [kind, ending, cap] of [
    ['JavaScript', '.js', javascript],
    ['CSS', '.css', style],
  ]) {
    report(route, kind, kilobytesOf(files, ending), cap);
  }
}

/** Of pages without the app: what runs there, and what colours it. */
const drawnBudget = { javascript: 5, style: 8 };
const { renderer } = await import(pathToFileURL(join(dist, '.server/public-page.mjs')).href);
const drawnPages = [
  ...['front', 'terms', 'privacy-policy'].map((name) => weighPage(name)),
  { route: '/shared/:address', scripts: renderer.inlineScripts, styles: renderer.inlineStyles },
];
for (const { route, scripts, styles } of drawnPages) {
  report(route, 'JavaScript', zippedKilobytes(scripts), drawnBudget.javascript);
  report(route, 'CSS', zippedKilobytes(styles), drawnBudget.style);
}

/** What stands in a page of the site; a script or a style of another address would be fetched beside it. */
function weighPage(name) {
  const html = readFileSync(join(dist, `.server/site/${name}.html`), 'utf8');
  const contents = (pattern) => [...html.matchAll(pattern)].map(([, content]) => content);
  if (/<script[^>]*\ssrc=|rel="(?:stylesheet|modulepreload)"/.test(html)) {
    console.log(`SLOW ${name} fetches a script or a style`);
    over = true;
  }
  return {
    route: name === 'front' ? '/' : `/${name}`,
    scripts: contents(/<script>(.*?)<\/script>/gs),
    styles: contents(/<style>(.*?)<\/style>/gs),
  };
}

function zippedKilobytes(texts) {
  return gzipSync(texts.join('\n')).length / 1000;
}

if (over) process.exitCode = 1;
