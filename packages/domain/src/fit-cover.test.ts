import { expect, test } from 'vitest';
import { fitCover } from './fit-cover.ts';

test.each([
  [
    'of the usual shape',
    1200,
    630,
    { left: 40, top: 0, width: 1120, height: 630 },
    { width: 480, height: 270 },
  ],
  ['a little taller', 800, 600, { left: 0, top: 75, width: 800, height: 450 }, { width: 480, height: 270 }],
  [
    'smaller than a cover',
    320,
    180,
    { left: 0, top: 0, width: 320, height: 180 },
    { width: 320, height: 180 },
  ],
  ['a logo', 512, 512, { left: 0, top: 0, width: 512, height: 512 }, { width: 270, height: 270 }],
  ['a small logo', 100, 100, { left: 0, top: 0, width: 100, height: 100 }, { width: 100, height: 100 }],
  ['a banner', 3000, 300, { left: 0, top: 0, width: 3000, height: 300 }, { width: 480, height: 48 }],
  ['a thread', 90_000, 64, { left: 0, top: 0, width: 90_000, height: 64 }, { width: 480, height: 1 }],
])('an image %s', (_what, width, height, from, to) => {
  expect(fitCover({ width, height })).toEqual({ from, to });
});
