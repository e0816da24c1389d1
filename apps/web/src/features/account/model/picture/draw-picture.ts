import { PICTURE_LIMITS } from '@linkoteca/domain/picture-limits';
import type { OpenedPicture } from '../../../../shared/lib/pictures/read-picture-file.ts';
import { writePicture } from '../../../../shared/lib/pictures/write-picture.ts';
import { type Crop, cropArea } from './crop.ts';

/**
 * The square of a picture, scaled once and written anew: as WebP, where the browser does not write it as JPEG. Nothing of the file is
 * left but the pixels; where the picture was taken, and by which camera, stays behind.
 */
export async function drawPicture(picture: OpenedPicture, crop: Crop): Promise<Blob> {
  const { side } = PICTURE_LIMITS;
  const canvas = document.createElement('canvas');
  canvas.width = side;
  canvas.height = side;
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('this browser does not draw');
  context.imageSmoothingQuality = 'high';
  // JPEG knows no transparency, and on the dark theme dark letters would vanish.
  context.fillStyle = 'white';
  context.fillRect(0, 0, side, side);
  const from = cropArea(picture, crop);
  context.drawImage(picture.image, from.left, from.top, from.side, from.side, 0, 0, side, side);
  return writePicture(canvas);
}
