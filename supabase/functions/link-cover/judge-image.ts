/** The beginnings of the formats that browsers draw, in letters; '?' stands for any. */
const BEGINNINGS: readonly (readonly [beginning: string, type: string])[] = [
  ['\xFF\xD8\xFF', 'image/jpeg'],
  ['\x89PNG\r\n\x1A\n', 'image/png'],
  ['GIF87a', 'image/gif'],
  ['GIF89a', 'image/gif'],
  ['RIFF????WEBP', 'image/webp'],
  ['????ftypavif', 'image/avif'],
];

/**
 * What an image is by its own bytes, whatever its site calls it; undefined for all else. A drawing (SVG) is a document that can run
 * scripts, and no image here.
 */
export function judgeImage(bytes: Uint8Array): string | undefined {
  const text = String.fromCharCode(...bytes.subarray(0, 16));
  const begins = (beginning: string) =>
    [...beginning].every((letter, at) => letter === '?' || text[at] === letter);
  return BEGINNINGS.find(([beginning]) => begins(beginning))?.[1];
}
