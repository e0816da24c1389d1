import { COVER_LIMITS } from '@linkoteca/domain/cover-limits';
import { fitCover } from '@linkoteca/domain/fit-cover';
import { readPictureFile } from '../../../../shared/lib/pictures/read-picture-file.ts';
import { writePicture } from '../../../../shared/lib/pictures/write-picture.ts';

/**
 * An image of the web as a cover: opened by what its bytes are, scaled once and written anew, so that nothing of the file is left but its
 * pixels. Null for what is no image, too small to be one, or too large to be drawn.
 */
export async function drawCover(file: Blob): Promise<Blob | null> {
  const read = await readPictureFile(file);
  if (read.kind === 'refused') return null;
  const { picture } = read;
  try {
    if (Math.min(picture.width, picture.height) < COVER_LIMITS.shortestSide) return null;
    const { from, to } = fitCover(picture);
    const canvas = document.createElement('canvas');
    canvas.width = to.width;
    canvas.height = to.height;
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('this browser does not draw');
    context.imageSmoothingQuality = 'high';
    // Logos with nothing behind them are made for white pages.
    context.fillStyle = 'white';
    context.fillRect(0, 0, to.width, to.height);
    context.drawImage(picture.image, from.left, from.top, from.width, from.height, 0, 0, to.width, to.height);
    return await writePicture(canvas);
  } finally {
    picture.close();
  }
}
