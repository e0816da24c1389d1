import { PICTURE_LIMITS } from '@linkoteca/domain/picture-limits';
import { beforeEach, expect, test, vi } from 'vitest';
import { readPictureFile } from './read-picture-file.ts';

const PNG = '\x89PNG\r\n\x1A\n';
const bytes = (text: string, size = text.length) => {
  const all = new Uint8Array(size);
  all.set([...text].map((letter) => letter.charCodeAt(0)));
  return new Blob([all]);
};
const sized = (width: number, height: number) =>
  vi.fn(async () => ({ naturalWidth: width, naturalHeight: height }) as HTMLImageElement);

const revoked = vi.fn();
beforeEach(() => {
  revoked.mockReset();
  vi.stubGlobal(
    'URL',
    Object.assign(URL, { createObjectURL: () => 'blob:a', revokeObjectURL: (at: string) => revoked(at) }),
  );
});

test.each([
  ['JPEG', '\xFF\xD8\xFF\xE0'],
  ['PNG', PNG],
  ['GIF', 'GIF89a'],
  ['WebP', 'RIFF\x10\0\0\0WEBPVP8 '],
  ['AVIF', '\0\0\0\x20ftypavif'],
])('opens a %s by its first bytes', async (_name, start) => {
  const read = await readPictureFile(bytes(start, 200), sized(640, 480));
  expect(read).toMatchObject({ kind: 'opened', picture: { width: 640, height: 480 } });
  expect(revoked).not.toHaveBeenCalled();
});

test.each([
  ['a drawing', '<?xml version="1.0"?><svg xmlns="x" onload="alert(1)"/>', 'drawing'],
  ['a drawing without a prologue', '<svg><script>alert(1)</script></svg>', 'drawing'],
  ['a page', '<!doctype html><img>', 'not_a_picture'],
  ['nothing', '', 'not_a_picture'],
  ['a film that begins like a picture', '\0\0\0\x20ftypisom', 'not_a_picture'],
])('refuses %s before it is opened', async (_name, start, reason) => {
  const load = sized(640, 480);
  expect(await readPictureFile(bytes(start), load)).toEqual({ kind: 'refused', reason });
  expect(load).not.toHaveBeenCalled();
});

test('refuses what is too heavy without reading it', async () => {
  const slice = vi.fn();
  const file = { size: PICTURE_LIMITS.fileBytes + 1, slice } as unknown as Blob;
  expect(await readPictureFile(file)).toEqual({ kind: 'refused', reason: 'too_heavy' });
  expect(slice).not.toHaveBeenCalled();
});

test.each([
  ['too many pixels', sized(50_000, 50_000), 'too_large'],
  ['too few', sized(640, 31), 'too_small'],
  ['what cannot be opened', vi.fn(async () => Promise.reject(new Error('x'))), 'broken'],
])('refuses %s, and lets go of the bytes', async (_name, load, reason) => {
  expect(await readPictureFile(bytes(PNG, 200), load)).toEqual({ kind: 'refused', reason });
  expect(revoked).toHaveBeenCalledExactlyOnceWith('blob:a');
});
