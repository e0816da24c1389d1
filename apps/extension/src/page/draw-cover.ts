import { COVER_LIMITS } from '@linkoteca/domain/cover-limits';
import { fitCover } from '@linkoteca/domain/fit-cover';

/** Pixels of the longer side of a picture as it comes from its page: twice a cover, of which a part is kept. */
export const LONGEST_SIDE = 2 * COVER_LIMITS.width;

/** Characters of such a picture; more than any of that size needs. */
const MOST_CHARACTERS = 2_000_000;

/**
 * A picture as it came from a page, as the cover of its link: scaled and written anew.
 * @param address a `data:` address of a WebP.
 * @returns null for whatever else came.
 */
export async function drawCover(address: unknown): Promise<Blob | null> {
  if (typeof address !== 'string' || address.length > MOST_CHARACTERS) return null;
  const content = /^data:image\/webp;base64,([A-Za-z0-9+/]+=*)$/.exec(address)?.[1];
  if (content === undefined) return null;
  const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: 'image/webp' }));
  if (Math.max(image.width, image.height) > LONGEST_SIDE) return null;
  const { from, to } = fitCover(image);
  const canvas = new OffscreenCanvas(to.width, to.height);
  const context = canvas.getContext('2d');
  if (context === null) return null;
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, from.left, from.top, from.width, from.height, 0, 0, to.width, to.height);
  image.close();
  const cover = await canvas.convertToBlob({ type: 'image/webp', quality: 0.88 });
  return cover.type === 'image/webp' && cover.size <= COVER_LIMITS.fileBytes ? cover : null;
}
