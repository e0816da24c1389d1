import type { PictureSize } from '../../../../shared/lib/pictures/read-picture-file.ts';

/** The square of a picture that is kept: its centre, in pixels of the picture, and how often its side goes into the shorter one. */
export interface Crop {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

export const LARGEST_ZOOM = 4;

/** The largest square, in the middle. */
export function startCrop({ width, height }: PictureSize): Crop {
  return { x: width / 2, y: height / 2, zoom: 1 };
}

/** Moved by so many pixels of the picture; the square stays in it. */
export function moveCrop(size: PictureSize, crop: Crop, right: number, down: number): Crop {
  return clampCrop(size, { ...crop, x: crop.x + right, y: crop.y + down });
}

/** Nearer or farther, around the same centre as far as the edges let it. */
export function zoomCrop(size: PictureSize, crop: Crop, zoom: number): Crop {
  return clampCrop(size, { ...crop, zoom });
}

/** The side of the square, in pixels of the picture. */
export function cropSide({ width, height }: PictureSize, { zoom }: Crop): number {
  return Math.min(width, height) / zoom;
}

/** The upper left corner of the square and its side. */
export function cropArea(size: PictureSize, crop: Crop): { left: number; top: number; side: number } {
  const side = cropSide(size, crop);
  return { left: crop.x - side / 2, top: crop.y - side / 2, side };
}

function clampCrop(size: PictureSize, { x, y, zoom }: Crop): Crop {
  const near = clamp(zoom, 1, LARGEST_ZOOM);
  const half = cropSide(size, { x, y, zoom: near }) / 2;
  return { x: clamp(x, half, size.width - half), y: clamp(y, half, size.height - half), zoom: near };
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
