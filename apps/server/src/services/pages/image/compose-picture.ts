import { shortenText } from '@linkoteca/domain/shorten-text';

export type PictureTexts = {
  readonly siteName: string;
  readonly title: string;
  readonly owner: string;
  readonly count: string;
};

/** What satori draws: an element as React would write it. */
export type PictureNode = {
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
