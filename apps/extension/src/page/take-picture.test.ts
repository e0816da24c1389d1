import { afterEach, expect, test, vi } from 'vitest';
import { takePicture } from './take-picture.ts';

const TAB = { id: 7, address: 'https://a.example/x' };
const PICTURE = `data:image/webp;base64,${btoa('RIFF')}`;
type Injection = { readonly target: object; readonly args: readonly unknown[] };

function browse(read: (injection: Injection) => Promise<unknown>) {
  const cover = new Blob(['capa'], { type: 'image/webp' });
  vi.stubGlobal('chrome', { scripting: { executeScript: read } });
  vi.stubGlobal('createImageBitmap', async () => ({ width: 960, height: 504, close: () => undefined }));
  vi.stubGlobal(
    'OffscreenCanvas',
    class {
      getContext = () => ({ drawImage: () => undefined });
      convertToBlob = async () => cover;
    },
  );
  return cover;
}
afterEach(() => {
  vi.unstubAllGlobals();
});

test('the page in the tab is asked for its picture, within bounds', async () => {
  const read = vi.fn(async (_injection: Injection) => [{ result: PICTURE }]);
  const cover = browse(read);
  expect(await takePicture(TAB)).toBe(cover);
  expect(read.mock.calls).toMatchObject([
    [
      {
        target: { tabId: 7 },
        args: [TAB.address, { fileBytes: 4_194_304, patienceMs: 8_000, longestSide: 960 }],
      },
    ],
  ]);
});

test.each<[string, () => Promise<unknown>]>([
  ['has none', async () => [{ result: null }]],
  ['is gone', () => Promise.reject(new Error('No tab with id: 7'))],
  ['answers something else', async () => [{ result: { toString: () => PICTURE } }]],
  ['answers nothing', async () => []],
])('a tab that %s gives none', async (_what, read) => {
  browse(read);
  expect(await takePicture(TAB)).toBeNull();
});
