import { readFile } from 'node:fs/promises';
import { countLinks, nameOwner, PUBLIC_PAGE_MESSAGES } from '@linkoteca/domain/public-page-messages';
import type { SharedPage } from '@linkoteca/domain/shared-page';
import { describeSharedBy } from '@linkoteca/domain/sharing-messages';
import { composePicture } from './compose-picture.ts';

export type PagePainter = (page: SharedPage) => Promise<Buffer>;

const WIDTH = 1200;
const HEIGHT = 630;
/** Latin scripts, as Portuguese and its neighbours need them: regular and semibold. */
const FONTS = [400, 600].flatMap((weight) =>
  ['latin', 'latin-ext'].map((subset) => ({
    weight: weight as 400 | 600,
    url: import.meta.resolve(`@fontsource/inter/files/inter-${subset}-${weight}-normal.woff`),
  })),
);

/**
 * What draws the picture that chats and networks show of a public category. One after the other: a crawler that asks for a
 * thousand of them must not take the processors from those who read.
 */
export function createPagePainter(): PagePainter {
  let tools: ReturnType<typeof loadTools> | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const paint = async ({ category }: SharedPage) => {
    tools ??= loadTools();
    const { fonts, satori, renderAsync } = await tools;
    const picture = composePicture({
      siteName: PUBLIC_PAGE_MESSAGES.siteName,
      title: category.name,
      owner: describeSharedBy(nameOwner(category.owner_name)),
      count: countLinks(category.link_count),
    });
    const svg = await satori(picture, { width: WIDTH, height: HEIGHT, fonts });
    // Text has become paths: no font of the machine is looked for.
    const image = await renderAsync(svg, { font: { loadSystemFonts: false } });
    return image.asPng();
  };

  return (page) => {
    const painting = last.then(() => paint(page));
    last = painting.catch(() => undefined);
    return painting;
  };
}

/** Loaded with the first picture: most servers start far more often than they are asked for one. */
async function loadTools() {
  const [{ default: satori }, { renderAsync }, fonts] = await Promise.all([
    import('satori'),
    import('@resvg/resvg-js'),
    Promise.all(
      FONTS.map(async ({ url, weight }) => ({
        name: 'Inter',
        weight,
        style: 'normal' as const,
        data: await readFile(new URL(url)),
      })),
    ),
  ]);
  return { satori, renderAsync, fonts };
}
