import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { drawCover } from './draw-cover.ts';

const picture = `data:image/webp;base64,${btoa('RIFF')}`;
let drawn: (readonly number[])[];
let written: Blob;
const opened = { width: 960, height: 504, close: () => undefined };
const open = vi.fn(async () => opened);

beforeEach(() => {
  drawn = [];
  written = new Blob(['capa'], { type: 'image/webp' });
  open.mockReset().mockResolvedValue(opened);
  vi.stubGlobal('createImageBitmap', open);
  vi.stubGlobal(
    'OffscreenCanvas',
    class {
      getContext = () => ({ drawImage: (_image: object, ...at: number[]) => drawn.push(at) });
      convertToBlob = async () => written;
    },
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test('the middle of a page’s picture becomes a cover', async () => {
  expect(await drawCover(picture)).toBe(written);
  expect(drawn).toEqual([[32, 0, 896, 504, 0, 0, 480, 270]]);
});

test.each([
  ['nothing', null],
  ['no text', { length: 1 }],
  ['an address of the web', 'https://a.example/x.webp'],
  ['a drawing', `data:image/svg+xml;base64,${btoa('<svg/>')}`],
  ['letters that mean no bytes', 'data:image/webp;base64,*'],
  ['a text without end', picture.padEnd(2_000_001, 'A')],
])('%s is none, and is not opened', async (_what, address) => {
  expect(await drawCover(address)).toBeNull();
  expect(open).not.toHaveBeenCalled();
});

test('what is larger than it was to be is none', async () => {
  open.mockResolvedValue({ ...opened, width: 961 });
  expect(await drawCover(picture)).toBeNull();
  expect(drawn).toEqual([]);
});

test('nor is one that a browser could not write as a small WebP', async () => {
  for (const blob of [
    new Blob(['x'], { type: 'image/png' }),
    new Blob([new Uint8Array(131_073)], { type: 'image/webp' }),
  ]) {
    written = blob;
    expect(await drawCover(picture)).toBeNull();
  }
});
