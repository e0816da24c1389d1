import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Sharp } from 'sharp';
import { createGate } from '../../../kernel/create-gate.ts';
import { storageError } from '../storage-error.ts';
import { findFocus, type Transformation } from './transformation.ts';

export type Picture = { readonly bytes: Buffer; readonly mimeType: string };

export type PictureWish = {
  readonly source: Readable;
  readonly transformation: Transformation;
  /** Whether the client takes WebP, which is smaller. */
  readonly takesWebp: boolean;
};

export type RenderPicture = (open: () => Promise<PictureWish>) => Promise<Picture>;

/** No larger picture is taken apart: a few kilobytes can claim to be a square kilometre. */
const MOST_PIXELS = 50_000_000;
const AT_ONCE = 2;
const MOST_WAITING = 30;
const PATIENCE_S = 10;

/** Formats that are read, by the first bytes of a file, whatever its name and type say, and as what they are given out. */
const READ = { jpeg: 'jpeg', png: 'png', webp: 'webp', gif: 'gif', heif: 'avif' } as const;
type Output = (typeof READ)[keyof typeof READ];

/** Of all that the library could open (SVG, PDF, films) only these are left: nothing in them refers to anything outside. */
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((name) => `VipsForeignLoad${name}`);

/** Draws pictures anew, two at a time; the library is loaded with the first one. */
export function createPictureRenderer(): RenderPicture {
  const gate = createGate(AT_ONCE, MOST_WAITING, () =>
    storageError.slowDown('Too many pictures are being drawn'),
  );
  let loaded: ReturnType<typeof loadSharp> | undefined;
  return (open) =>
    gate(async () => {
      loaded ??= loadSharp();
      const sharp = await loaded;
      const { source, transformation, takesWebp } = await open();
      // Whole before it is opened: the library waits for ever for the end of a stream that breaks off.
      const bytes = await buffer(source);
      try {
        // A wrong checksum hides nothing that is there; half a picture is none.
        const picture = sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'truncated' });
        return await draw(picture.timeout({ seconds: PATIENCE_S }), transformation, takesWebp);
      } catch (error) {
        throw storageError.invalidPicture(error);
      }
    });
}

async function loadSharp() {
  const { default: sharp } = await import('sharp');
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS });
  // Each picture is another one, and the processors are everybody's.
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}

async function draw(picture: Sharp, transformation: Transformation, takesWebp: boolean): Promise<Picture> {
  const { format: read, autoOrient: seen } = await picture.metadata();
  const own = READ[read as keyof typeof READ];
  if (own === undefined) throw new Error(`pictures of the format ${read} are not drawn`);
  const { width, height, resize = 'cover', quality, format } = transformation;
  // As the photographer held the camera; nothing else that a file tells of itself is given out.
  const turned = picture.autoOrient();
  const sized =
    width === undefined && height === undefined
      ? turned
      : cutAround(turned, seen, transformation).resize({
          width,
          height,
          fit: resize === 'contain' ? 'inside' : resize,
          withoutEnlargement: resize !== 'fill',
        });
  const output = chooseOutput(own, format, takesWebp);
  const { data } = await encode(sized, output, quality ?? 80).toBuffer({ resolveWithObject: true });
  return { bytes: data, mimeType: `image/${output}` };
}

type Size = { readonly width: number; readonly height: number };

/** Cuts away what `cover` would, but so that the point that is asked for is as near to the middle as it can be. */
function cutAround(picture: Sharp, seen: Size, transformation: Transformation): Sharp {
  const { width, height, resize = 'cover' } = transformation;
  const focus = findFocus(transformation);
  if (focus === undefined || width === undefined || height === undefined || resize !== 'cover')
    return picture;
  const kept = {
    width: clamp(Math.round((seen.height * width) / height), 1, seen.width),
    height: clamp(Math.round((seen.width * height) / width), 1, seen.height),
  };
  const left = clamp(Math.round(focus.x * seen.width - kept.width / 2), 0, seen.width - kept.width);
  const top = clamp(Math.round(focus.y * seen.height - kept.height / 2), 0, seen.height - kept.height);
  return picture.extract({ left, top, ...kept });
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}

function chooseOutput(own: Output, format: Transformation['format'], takesWebp: boolean): Output {
  if (format === 'origin') return own;
  return format ?? (takesWebp ? 'webp' : own);
}

function encode(picture: Sharp, output: Output, quality: number): Sharp {
  switch (output) {
    case 'png':
      return picture.png();
    case 'gif':
      return picture.gif();
    default:
      return picture[output]({ quality });
  }
}
