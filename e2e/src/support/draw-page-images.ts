import { crc32, deflateSync } from 'node:zlib';
import type { Page } from '@playwright/test';

/** The image of a page: a plain colour, so wide and high. */
export type PageImage = { readonly width: number; readonly height: number; readonly rgb: readonly number[] };

/** Pages of the internet are not ours to test: what the service would bring from them. A page that is not named has no image. */
export async function drawPageImages(page: Page, images: Readonly<Record<string, PageImage>>) {
  const asked: string[] = [];
  await page.route('**/functions/v1/link-cover', async (route) => {
    const { url } = route.request().postDataJSON() as { url: string };
    asked.push(url);
    const image = images[url];
    await route.fulfill(
      image === undefined
        ? { status: 422, json: { error: 'A página não tem imagem própria' } }
        : { contentType: 'image/png', body: writePng(image) },
    );
  });
  return asked;
}

/** A PNG (RFC 2083): header, the pixels of each line behind a zero, end. */
export function writePng({ width, height, rgb }: PageImage): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits each of red, green and blue.
  header.set([8, 2], 8);
  const line = Buffer.concat([Buffer.of(0), Buffer.alloc(width * 3, Buffer.from(rgb))]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => line)));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1A\n', 'latin1'),
    writeChunk('IHDR', header),
    writeChunk('IDAT', pixels),
    writeChunk('IEND', Buffer.alloc(0)),
  ]);
}

function writeChunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(content.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
