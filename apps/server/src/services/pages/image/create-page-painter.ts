import { readFile } from 'node:fs/promises';
import { countLinks, nameOwner, PUBLIC_PAGE_MESSAGES } from '@linkoteca/domain/messages/public-page-messages';
import { describeSharedBy } from '@linkoteca/domain/messages/sharing-messages';
import type { SharedCategory } from '@linkoteca/domain/sharing';
import { shortenText } from '@linkoteca/domain/shorten-text';

/** Draws what is shared, a category or a folder, as PNG. */
export type PagePainter = (
  shared: Pick<SharedCategory, 'name' | 'owner_name' | 'link_count'>,
) => Promise<Buffer>;

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
 * What draws the picture that chats and networks show of a public category or folder. One after the other: a crawler that asks for a
 * thousand of them must not take the processors from those who read.
 */
export function createPagePainter(): PagePainter {
  let tools: ReturnType<typeof loadTools> | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const paint = async (shared: Parameters<PagePainter>[0]) => {
    tools ??= loadTools();
    const { fonts, satori, renderAsync } = await tools;
    const picture = composePicture({
      siteName: PUBLIC_PAGE_MESSAGES.siteName,
      title: shared.name,
      owner: describeSharedBy(nameOwner(shared.owner_name)),
      count: countLinks(shared.link_count),
    });
    const svg = await satori(picture, { width: WIDTH, height: HEIGHT, fonts });
    // Text has become paths: no font of the machine is looked for.
    const image = await renderAsync(svg, { font: { loadSystemFonts: false } });
    return image.asPng();
  };

  return (shared) => {
    const painting = last.then(() => paint(shared));
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

type PictureTexts = {
  readonly siteName: string;
  readonly title: string;
  readonly owner: string;
  readonly count: string;
};

/** What satori draws: an element as React would write it. */
type PictureNode = {
  readonly type: string;
  readonly key: null;
  readonly props: Readonly<Record<string, unknown>>;
};

// The colours of the light theme (apps/web/src/shared/styles/tokens.css), as a picture needs them.
const PAPER = '#fbfaf7';
const INK = '#1a1c20';
const INK_SOFT = '#50535a';
const ACCENT = '#087a5a';
const SPINES = [
  { color: '#b4584f', height: 470 },
  { color: '#b87a3c', height: 400 },
  { color: '#4f8a55', height: 520 },
  { color: '#3f8a8f', height: 440 },
  { color: '#4a79b0', height: 490 },
  { color: '#7a66b3', height: 380 },
  { color: ACCENT, height: 540 },
];
/** What the fonts cannot draw becomes nothing rather than a box: emoji, and scripts other than Latin. */
const NOT_DRAWN =
  /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]|\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|\p{Default_Ignorable_Code_Point}|\p{Cf}/gu;
const LONGEST_TITLE = 50;
const LONGEST_OWNER = 60;

/** The picture of a category: its name large on paper, who shares how much, and a shelf of books. */
export function composePicture(texts: PictureTexts): PictureNode {
  const title = drawable(texts.title, LONGEST_TITLE) || texts.siteName;
  const words = box({ flexDirection: 'column', width: 660, height: 494, padding: '72px 0 64px 80px' }, [
    text(texts.siteName, { fontSize: 34, fontWeight: 600, color: ACCENT }),
    box({ flexGrow: 1, alignItems: 'center' }, [
      text(title, {
        fontSize: title.length > 28 ? 64 : 84,
        fontWeight: 600,
        lineHeight: 1.12,
        letterSpacing: -2,
        wordBreak: 'break-word',
      }),
    ]),
    text(drawable(texts.owner, LONGEST_OWNER), { fontSize: 32, color: INK_SOFT }),
    text(texts.count, { fontSize: 32, color: INK_SOFT, marginTop: 8 }),
  ]);
  const shelf = box(
    { flexGrow: 1, alignItems: 'flex-end', justifyContent: 'flex-end', paddingRight: 64, gap: 8 },
    SPINES.map(({ color, height }) =>
      box({ width: 40, height, backgroundColor: color, borderRadius: '6px 6px 0 0' }, []),
    ),
  );
  return box({ width: '100%', height: '100%', backgroundColor: PAPER, color: INK, fontFamily: 'Inter' }, [
    words,
    shelf,
  ]);
}

function drawable(raw: string, most: number): string {
  return shortenText(raw.normalize('NFC').replace(NOT_DRAWN, '').replace(/\s+/g, ' ').trim(), most);
}

function box(style: Readonly<Record<string, unknown>>, children: readonly PictureNode[]): PictureNode {
  return { type: 'div', key: null, props: { style: { display: 'flex', ...style }, children } };
}

function text(content: string, style: Readonly<Record<string, unknown>>): PictureNode {
  return { type: 'div', key: null, props: { style: { display: 'flex', ...style }, children: content } };
}
