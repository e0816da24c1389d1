import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Sharp } from 'sharp';
import { createGate } from '../../../kernel/create-gate.ts';
import { storageError } from '../storage-error.ts';
import type { Transformation } from './transformation.ts';

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
        const picture = sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'error' });
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
  const { format: read } = await picture.metadata();
  const own = READ[read as keyof typeof READ];
  if (own === undefined) throw new Error(`pictures of the format ${read} are not drawn`);
  const { width, height, resize = 'cover', quality, format } = transformation;
  // As the photographer held the camera; nothing else that a file tells of itself is given out.
  const turned = picture.autoOrient();
  const sized =
    width === undefined && height === undefined
      ? turned
      : turned.resize({
          width,
          height,
          fit: resize === 'contain' ? 'inside' : resize,
          withoutEnlargement: resize !== 'fill',
        });
  const output = chooseOutput(own, format, takesWebp);
  const { data } = await encode(sized, output, quality ?? 80).toBuffer({ resolveWithObject: true });
  return { bytes: data, mimeType: `image/${output}` };
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
