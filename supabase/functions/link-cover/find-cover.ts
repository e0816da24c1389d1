import { createHeadParser, type HeadFacts, type SaysEnough } from '../link-preview/create-head-parser.ts';
import type { FetchPage, PageWish } from '../link-preview/fetch-page.ts';
import { openPage, withPatience } from '../link-preview/open-page.ts';
import { PreviewError } from '../link-preview/preview-error.ts';
import { decodeHead, isPage, readHead, requireBody } from '../link-preview/preview-page.ts';
import { judgeImage } from './judge-image.ts';

export type CoverImage = { readonly type: string; readonly bytes: Uint8Array<ArrayBuffer> };

/** For everything together, the page and its image. */
const PATIENCE_MS = 8_000;
/** Four times what such images are. */
export const MAX_IMAGE_BYTES = 4 * 1024 * 1024;
/** What a page calls its image is often wrong in one of two places. */
const MOST_TRIES = 2;

const IMAGE: PageWish = {
  // What every browser can draw comes first; a drawing (SVG) is not asked for.
  accept: 'image/webp,image/jpeg,image/png,image/gif;q=0.8,image/avif;q=0.5',
  maxWireBytes: MAX_IMAGE_BYTES,
};

/**
 * The own image of a page, as the page names it (Open Graph, Twitter, `image_src`), or the link itself where that is an image. Page and
 * image are both asked for by the guarded fetch, redirects and all, and what the image is, its bytes say.
 * @param caller ends the work when whoever asked has gone.
 * @throws PreviewError
 */
export async function findCover(fetchPage: FetchPage, start: URL, caller: AbortSignal): Promise<CoverImage> {
  return withPatience(caller, PATIENCE_MS, async (signal) => {
    const { url, response } = await openPage(fetchPage, start, signal);
    const body = requireBody(response);
    const contentType = response.headers.get('content-type');
    const isImage = /^image\//i.test(contentType ?? '');
    if (!isImage && !isPage(contentType)) throw new PreviewError('not_a_page');
    const images = isImage
      ? [url]
      : listImages(decodeHead(await readHead(body, saysImage), contentType), url);
    let failure = new PreviewError('no_image');
    for (const image of images.slice(0, MOST_TRIES)) {
      try {
        return await fetchImage(fetchPage, image, signal);
      } catch (error) {
        signal.throwIfAborted();
        failure = error instanceof PreviewError ? error : new PreviewError('unreachable', { cause: error });
      }
    }
    throw failure;
  });
}

const saysImage: SaysEnough = ({ ogImage, twitterImage }) =>
  ogImage !== undefined && twitterImage !== undefined;

/** The addresses that a page names, the likeliest first, each once. */
export function listImages(html: string, page: URL): readonly URL[] {
  const parser = createHeadParser(saysImage);
  parser.write(html);
  parser.end();
  const { ogImage, twitterImage, linkedImage }: HeadFacts = parser.facts;
  const addresses = new Set<string>();
  for (const written of [ogImage, twitterImage, linkedImage]) {
    const address = written === undefined ? null : URL.parse(written.trim(), page.href);
    // Data written into the page is no image of a site's, and may be anything.
    if (address?.protocol === 'http:' || address?.protocol === 'https:') addresses.add(address.href);
  }
  return [...addresses].map((address) => new URL(address));
}

async function fetchImage(fetchPage: FetchPage, address: URL, signal: AbortSignal): Promise<CoverImage> {
  const { response } = await openPage(fetchPage, address, signal, IMAGE);
  const body = requireBody(response);
  // Who says beforehand how much it is, is not read at all.
  if (Number(response.headers.get('content-length')) > MAX_IMAGE_BYTES) throw new PreviewError('heavy_image');
  const bytes = await readImage(body);
  const type = judgeImage(bytes);
  if (type === undefined) throw new PreviewError('not_an_image');
  return { type, bytes };
}

/** Bytes that tell what something is. */
const TELLING_BYTES = 32;

/** All of an image. What is none is left at its first bytes, and too much as soon as it is too much. */
async function readImage(body: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  let isJudged = false;
  for await (const piece of body) {
    pieces.push(piece);
    length += piece.length;
    if (length > MAX_IMAGE_BYTES) throw new PreviewError('heavy_image');
    if (isJudged || length < TELLING_BYTES) continue;
    isJudged = true;
    if (judgeImage(join(pieces, length)) === undefined) throw new PreviewError('not_an_image');
  }
  return join(pieces, length);
}

function join(pieces: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
