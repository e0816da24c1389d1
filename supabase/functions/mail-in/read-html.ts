import { Parser } from 'htmlparser2';

/** An address that an HTML part leads to, with the words one presses. */
export type Anchor = { readonly href: string; readonly words: string };

/** What an HTML part says, without its markup and the signature of its sender. */
export type HtmlContent = { readonly anchors: readonly Anchor[]; readonly text: string };

/** Characters of HTML that are read: a mail of that size is nobody's note to themself. */
const MOST_HTML = 1_000_000;
const MOST_ANCHORS = 200;
const MOST_TEXT = 100_000;
const MOST_WORDS = 300;
/** What lies deeper in one another no mail program writes; the parser takes longer for each level. */
const MOST_DEPTH = 1_000;

/** How Gmail, Thunderbird and Outlook mark the signature they add. */
const SIGNATURES = /(?:^|\s)(?:gmail_signature|moz-signature)(?:\s|$)/;
const OUTLOOK_SIGNATURES = new Set(['signature', 'ms-outlook-mobile-signature']);
const UNREAD = new Set(['script', 'style', 'head', 'title', 'template', 'noscript']);
const BREAKS = new Set([
  'address',
  'blockquote',
  'br',
  'div',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'hr',
  'li',
  'ol',
  'p',
  'pre',
  'table',
  'td',
  'tr',
  'ul',
]);

/** Reads an HTML part, whatever is in it; nothing of it runs, and no picture is fetched. */
export function readHtml(html: string): HtmlContent {
  const anchors: Anchor[] = [];
  let text = '';
  let open: { href: string; words: string } | undefined;
  /** How many elements deep we are in what is not read. */
  let skipped = 0;
  let depth = 0;

  const close = () => {
    if (open !== undefined && anchors.length < MOST_ANCHORS) anchors.push(open);
    open = undefined;
  };
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1;
        // The rest is not read.
        if (depth > MOST_DEPTH) parser.pause();
        if (skipped > 0 || UNREAD.has(name) || isSignature(attributes)) {
          if (!VOID.has(name)) skipped += 1;
          return;
        }
        if (BREAKS.has(name)) addText('\n');
        if (name !== 'a' && name !== 'area') return;
        close();
        const { href } = attributes;
        if (href !== undefined) open = { href, words: '' };
        if (name === 'area') close();
      },
      ontext(piece) {
        if (skipped > 0) return;
        addText(piece);
        if (open !== undefined && open.words.length < MOST_WORDS) open.words += piece.slice(0, MOST_WORDS);
      },
      onclosetag(name) {
        depth -= 1;
        if (skipped > 0) {
          if (!VOID.has(name)) skipped -= 1;
          return;
        }
        if (name === 'a') close();
        if (BREAKS.has(name)) addText('\n');
      },
    },
    { decodeEntities: true },
  );
  function addText(piece: string): void {
    if (text.length < MOST_TEXT) text += piece.slice(0, MOST_TEXT);
  }

  parser.write(html.slice(0, MOST_HTML));
  parser.end();
  close();
  return { anchors, text: text.slice(0, MOST_TEXT) };
}

/** They have no content, so nothing closes them. */
const VOID = new Set([
  'area',
  'base',
  'br',
  'col',
  'embed',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'source',
  'track',
  'wbr',
]);

function isSignature(attributes: Readonly<Record<string, string>>): boolean {
  const { id = '', class: classes = '' } = attributes;
  return (
    SIGNATURES.test(classes) ||
    attributes['data-smartmail'] === 'gmail_signature' ||
    OUTLOOK_SIGNATURES.has(id.toLowerCase())
  );
}
