import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { FOLDER_COLORS } from '@linkoteca/domain/folder-look';
import { describe, expect, test } from 'vitest';

/** WCAG 2.2, 1.4.11: what is recognised by its colour, against what is beside it. */
const LEAST = 3;
const GROUNDS = ['paper', 'surface', 'sidebar', 'sunken'];

/** Lightness 0 to 1, chroma, hue in degrees. */
type Oklch = readonly [number, number, number];

const css = readFileSync(createRequire(import.meta.url).resolve('@linkoteca/design/tokens.css'), 'utf8');

/** The colours of a token in the light and in the dark theme. */
function readToken(name: string): Readonly<Record<'light' | 'dark', Oklch>> {
  const oklch = String.raw`oklch\(([\d.]+)% ([\d.]+) ([\d.]+)\)`;
  const found = new RegExp(`--${name}: light-dark\\(${oklch}, ${oklch}\\);`).exec(css);
  const [l1, c1, h1, l2, c2, h2] = (found ?? []).slice(1).map(Number);
  if (l1 === undefined || c1 === undefined || h1 === undefined) throw new Error(`no token --${name}`);
  if (l2 === undefined || c2 === undefined || h2 === undefined) throw new Error(`no token --${name}`);
  return { light: [l1 / 100, c1, h1], dark: [l2 / 100, c2, h2] };
}

/** Relative luminance in sRGB; what lies outside it is clipped, as screens do. Matrices: https://bottosson.github.io/posts/oklab/ */
function luminanceOf([lightness, chroma, hue]: Oklch): number {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clip = (value: number) => Math.min(1, Math.max(0, value));
  const red = clip(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
  const green = clip(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
  const blue = clip(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrastOf(one: Oklch, other: Oklch): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

test('the contrast is that of WCAG: 21 from black to white, and 4.48 from #777777 to white', () => {
  const white: Oklch = [1, 0, 0];
  expect(contrastOf([0, 0, 0], white)).toBeCloseTo(21, 2);
  expect(contrastOf([0.5688, 0, 0], white)).toBeCloseTo(4.48, 1);
});

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  test.each(FOLDER_COLORS.map((color, place) => [color, `folder-${place + 1}`] as const))(
    'folders in %s stand out from all that they stand on',
    (_color, token) => {
      for (const ground of GROUNDS)
        expect(
          contrastOf(readToken(token)[theme], readToken(ground)[theme]),
          `--${token} on --${ground}`,
        ).toBeGreaterThanOrEqual(LEAST);
    },
  );
});
