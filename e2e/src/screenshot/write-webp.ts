import { writeFile } from 'node:fs/promises';
import type { Browser } from '@playwright/test';

/** Writes a picture as WebP, encoded by the browser itself. `quality` is between 0 and 1. */
export async function writeWebp(browser: Browser, png: Buffer, path: string, quality: number): Promise<void> {
  const page = await browser.newPage();
  try {
    const encoded = await page.evaluate(
      async ([source, wanted]) => {
        const image = new Image();
        image.src = `data:image/png;base64,${source}`;
        await image.decode();
        const canvas = document.createElement('canvas');
        canvas.width = image.naturalWidth;
        canvas.height = image.naturalHeight;
        canvas.getContext('2d')?.drawImage(image, 0, 0);
        return canvas.toDataURL('image/webp', wanted);
      },
      [png.toString('base64'), quality] as const,
    );
    await writeFile(path, Buffer.from(encoded.slice(encoded.indexOf(',') + 1), 'base64'));
  } finally {
    await page.close();
  }
}
