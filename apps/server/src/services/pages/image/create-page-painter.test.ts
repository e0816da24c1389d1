import { expect, it } from 'vitest';
import { composePicture, createPagePainter, type PagePainter } from './create-page-painter.ts';

const TEXTS = { siteName: 'Linkoteca', title: '', owner: 'Compartilhado por: Ana', count: '1 link' };
const shared = (name: string, owner: string) => ({ name, owner_name: owner, link_count: 12 });

it('paints a PNG of 1200 by 630 whatever the texts are', async () => {
  const paint = createPagePainter();
  const images = await Promise.all([
    paint(shared('Receitas da Vovó', 'Marta')),
    paint(shared(`</svg><script>&"'\u202E\u0301`.repeat(4), 'a'.repeat(500))),
    paint(shared('日本語 🌸🇧🇷', '')),
  ]);
  for (const image of images) {
    expect(image.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
    expect([image.readUInt32BE(16), image.readUInt32BE(20)]).toEqual([1200, 630]);
  }
  expect(images[0]?.equals(images[1] ?? Buffer.of())).toBe(false);
});

it('leaves out what its letters cannot draw, and then says the name of the site', () => {
  expect(JSON.stringify(composePicture({ ...TEXTS, title: 'Doces 🍰 e\u202E 日本 bolos 🇧🇷' }))).toContain(
    '"Doces e bolos"',
  );
  const nothing = JSON.stringify(composePicture({ ...TEXTS, title: '🌸' }));
  expect(nothing.match(/"Linkoteca"/g)).toHaveLength(2);
});

it('goes on painting after a picture that failed', async () => {
  const paint = createPagePainter();
  const broken = null as unknown as Parameters<PagePainter>[0];
  await expect(paint(broken)).rejects.toThrow();
  expect((await paint(shared('Depois', 'Ana'))).length).toBeGreaterThan(1000);
});
