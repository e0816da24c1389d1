import type { Browser } from '@playwright/test';

/** What chats and networks show of the site, 1200 by 630: the sentence, above the product. */
export async function takeSocialPicture(
  browser: Browser,
  siteUrl: string,
  product: Buffer,
  path: string,
): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1200, height: 630 }, bypassCSP: true });
  try {
    await page.goto(`${siteUrl}/login`);
    const font = await page.locator('link[rel="preload"][as="font"]').first().getAttribute('href');
    await page.setContent(`<!doctype html><style>
      @font-face { font-family: Inter; font-weight: 100 900; src: url(${siteUrl}${font}) }
      body { margin: 0; height: 630px; overflow: hidden; background: #fbfaf7; color: #1a1c20; font-family: Inter }
      p { margin: 56px 0 0 72px; font-size: 30px; font-weight: 600; color: #087a5a }
      h1 { margin: 12px 0 44px 72px; font-size: 60px; line-height: 66px; font-weight: 640; letter-spacing: -0.028em }
      img { display: block; width: 1056px; margin-left: 72px; border: 1px solid #e3e1dc; border-radius: 14px; box-shadow: 0 8px 40px rgb(26 28 32 / 14%) }
    </style><p>Linkoteca</p><h1>Seus links merecem uma estante,<br>não uma gaveta.</h1>
    <img src="data:image/png;base64,${product.toString('base64')}">`);
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    await page.screenshot({ path });
  } finally {
    await page.close();
  }
}
