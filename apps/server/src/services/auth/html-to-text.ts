import { Parser } from 'htmlparser2';

const BLOCKS = new Set([
  'p',
  'div',
  'table',
  'tr',
  'ul',
  'ol',
  'li',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'section',
  'header',
  'footer',
  'blockquote',
  'pre',
  'hr',
]);
const UNSEEN = new Set(['head', 'title', 'style', 'script', 'template']);

/** A mail's document as text, for programs that show no other: words in their order, and each link's address after its words. */
export function htmlToText(html: string): string {
  let text = '';
  let unseen = 0;
  const links: { readonly address: string; readonly start: number }[] = [];
  const parser = new Parser({
    onopentag(name, attributes) {
      if (UNSEEN.has(name)) unseen += 1;
      if (BLOCKS.has(name)) text += '\n\n';
      if (name === 'br') text += '\n';
      if (name === 'a') links.push({ address: attributes['href'] ?? '', start: text.length });
    },
    ontext(words) {
      if (unseen === 0) text += words.replace(/\s+/g, ' ');
    },
    onclosetag(name) {
      if (UNSEEN.has(name)) unseen -= 1;
      if (BLOCKS.has(name)) text += '\n\n';
      if (name !== 'a') return;
      const link = links.pop();
      if (link && link.address !== '' && text.slice(link.start).trim() !== link.address)
        text += `: ${link.address}`;
    },
  });
  parser.end(html);
  return `${text
    .replace(/[^\S\n]*\n[^\S\n]*/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`;
}
