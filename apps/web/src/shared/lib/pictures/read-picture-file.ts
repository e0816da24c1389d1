import type { PICTURE_REFUSALS } from '@linkoteca/domain/messages/picture-messages';
import { PICTURE_LIMITS } from '@linkoteca/domain/picture-limits';

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** A picture that the browser has opened. `close` lets go of its bytes. */
export interface OpenedPicture extends PictureSize {
  readonly image: HTMLImageElement;
  readonly close: () => void;
}

export type PictureRefusal = keyof typeof PICTURE_REFUSALS;

type ReadPicture =
  | { readonly kind: 'opened'; readonly picture: OpenedPicture }
  | { readonly kind: 'refused'; readonly reason: PictureRefusal };

/** Opens an image of an address, or rejects. */
type LoadImage = (address: string) => Promise<HTMLImageElement>;

/**
 * Opens a file as a picture. What it is, its first bytes say, not its name; what is larger than a photograph is refused before it is
 * decoded, and a drawing because it is a document with addresses and scripts of its own.
 */
export async function readPictureFile(file: Blob, load: LoadImage = loadImage): Promise<ReadPicture> {
  if (file.size > PICTURE_LIMITS.fileBytes) return { kind: 'refused', reason: 'too_heavy' };
  const refusal = findTypeFault(new Uint8Array(await file.slice(0, 512).arrayBuffer()));
  if (refusal !== null) return { kind: 'refused', reason: refusal };
  const address = URL.createObjectURL(file);
  const close = () => URL.revokeObjectURL(address);
  const refuse = (reason: PictureRefusal): ReadPicture => {
    close();
    return { kind: 'refused', reason };
  };
  try {
    const image = await load(address);
    const { naturalWidth: width, naturalHeight: height } = image;
    if (width * height > PICTURE_LIMITS.pixels) return refuse('too_large');
    if (Math.min(width, height) < PICTURE_LIMITS.shortestSide) return refuse('too_small');
    return { kind: 'opened', picture: { image, width, height, close } };
  } catch {
    return refuse('broken');
  }
}

/** Only the size is read here; the pixels come when it is drawn. */
async function loadImage(address: string): Promise<HTMLImageElement> {
  const image = new Image();
  const loaded = new Promise<void>((resolve, reject) => {
    image.onload = () => resolve();
    image.onerror = () => reject(new Error('the picture cannot be opened'));
  });
  image.src = address;
  await loaded;
  return image;
}

/** The beginnings of the formats that browsers show, in letters; '?' stands for any. */
const BEGINNINGS = [
  '\xFF\xD8\xFF',
  '\x89PNG\r\n\x1A\n',
  'GIF8',
  'RIFF????WEBP',
  '????ftypavi',
  '????ftypmif1',
];

function findTypeFault(bytes: Uint8Array): PictureRefusal | null {
  const text = String.fromCharCode(...bytes);
  const begins = (beginning: string) =>
    [...beginning].every((letter, at) => letter === '?' || text[at] === letter);
  if (BEGINNINGS.some(begins)) return null;
  return /<svg\b|<!DOCTYPE svg/i.test(text) ? 'drawing' : 'not_a_picture';
}
