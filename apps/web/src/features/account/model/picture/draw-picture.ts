import { PICTURE_LIMITS } from '@linkoteca/domain/picture-limits';
import { type Crop, cropArea } from './crop.ts';
import type { OpenedPicture } from './read-picture-file.ts';

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
  const webp = await encode(canvas, 'image/webp');
  // A browser that does not know the format answers with another.
  return webp.type === 'image/webp' ? webp : encode(canvas, 'image/jpeg');
}

async function encode(canvas: HTMLCanvasElement, type: string): Promise<Blob> {
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, 0.88));
  if (blob === null) throw new Error('the picture could not be written');
  return blob;
}
