import { COVER_LIMITS } from './cover-limits.ts';

interface PictureSize {
  readonly width: number;
  readonly height: number;
}

export interface CoverFit {
  /** The part of the image that is kept, in its own pixels. */
  readonly from: PictureSize & { readonly left: number; readonly top: number };
  /** What is drawn, pixels. */
  readonly to: PictureSize;
}

/** Between these an image loses no more than an edge when it becomes a cover; beyond them it is a logo or a banner, and stays whole. */
const CROPPED = { narrowest: 1.3, widest: 2.6 } as const;

/** How an image becomes a cover: the middle of it in the shape of all covers, or all of it, and never larger than it is. */
export function fitCover({ width, height }: PictureSize): CoverFit {
  const shape = COVER_LIMITS.width / COVER_LIMITS.height;
  const own = width / height;
  if (own < CROPPED.narrowest || own > CROPPED.widest) {
    const scale = Math.min(1, COVER_LIMITS.width / width, COVER_LIMITS.height / height);
    return {
      from: { left: 0, top: 0, width, height },
      to: { width: atLeastOne(width * scale), height: atLeastOne(height * scale) },
    };
  }
  const from = own > shape ? { width: height * shape, height } : { width, height: width / shape };
  const scale = Math.min(1, COVER_LIMITS.width / from.width);
  return {
    from: { ...from, left: (width - from.width) / 2, top: (height - from.height) / 2 },
    to: { width: Math.round(from.width * scale), height: Math.round(from.height * scale) },
  };
}

function atLeastOne(pixels: number): number {
  return Math.max(1, Math.round(pixels));
}
