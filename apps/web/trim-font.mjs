#!/usr/bin/env node
// Writes src/shared/styles/inter.woff2: the variable Inter with what the product shows of it, half the bytes of the whole.
// Kept are the letters of the face's unicode-range (base.css), the weights 400 to 700, and the layout features below.
// Usage: node trim-font.mjs [--check], which writes nothing and fails when the file is not what this would write.

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import subsetFont from 'subset-font';

const WEIGHTS = { min: 400, max: 700 };
/** Kerning and marks for every text; figures of one width; the letters that base.css asks for. */
const FEATURES = ['kern', 'mark', 'mkmk', 'ccmp', 'locl', 'tnum', 'cv11', 'ss03'];

const source = fileURLToPath(
  import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
);
const target = fileURLToPath(new URL('src/shared/styles/inter.woff2', import.meta.url));
const style = readFileSync(new URL('src/shared/styles/base.css', import.meta.url), 'utf8');

/** Every character of the face's `unicode-range`. */
function listCharacters() {
  const ranges = /unicode-range:([^;]+);/.exec(style)?.[1];
  if (!ranges) throw new Error('base.css names no unicode-range');
  const characters = ranges.matchAll(/U\+([0-9A-F]+)(?:-([0-9A-F]+))?/g).flatMap(([, first, last]) => {
    const from = Number.parseInt(first, 16);
    const to = Number.parseInt(last ?? first, 16);
    return Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index));
  });
  return [...characters].join('');
}

const font = await subsetFont(readFileSync(source), listCharacters(), {
  targetFormat: 'woff2',
  variationAxes: { wght: WEIGHTS },
  keepFeatures: FEATURES,
});

if (process.argv.includes('--check')) {
  if (!font.equals(readFileSync(target))) {
    process.stderr.write('src/shared/styles/inter.woff2 is not what trim-font.mjs writes: run it again\n');
    process.exitCode = 1;
  }
} else writeFileSync(target, font);
