import { linkFormSchema } from '@linkoteca/domain/library-schemas';
import { FIELD_LIMITS } from '@linkoteca/domain/limits';
import { shortenText } from '@linkoteca/domain/shorten-text';
import { cleanLine } from '@linkoteca/domain/text';
import { trimAddress } from '@linkoteca/domain/trim-address';
import { normalizeUrl } from '@linkoteca/domain/urls';
import * as v from 'valibot';

const LINE_BREAK = /\r\n|[\n\r\u2028\u2029]/;
const BULLETS = /^\s*(?:(?:[-*+•·‣▪–—]|\d{1,4}[.)]|\[[ xX]?\])\s+)+/;
const MARKDOWN_IMAGE = /!\[[^\]]*\]\([^)]*\)/g;
// The address may hold one level of brackets, as Wikipedia's do, and be followed by a quoted tooltip.
const MARKDOWN_LINK =
  /\[([^[\]]*)\]\(\s*<?([^\s()<>]*(?:\([^\s()]*\)[^\s()<>]*)*)>?(?:\s+["'][^"']*["'])?\s*\)/g;
const WEB_ADDRESS = /https?:\/\/[^\s<>"“”«»]+/gi;
const OTHER_SCHEME = /(?:^|\s)(?:mailto|javascript|data|file|ftp|chrome|about|tel|blob):\S/i;
const SEPARATOR = /\s+[-–—|:]\s+|:\s+/;
const EDGE_NOISE = /^[\s\-–—|:;,·•"'“”«»()[\]<>]+|[\s\-–—|:;,·•"'“”«»([<]+$/g;

/**
 * Reads the links out of a text of many lines: an address alone, 'título - endereço' in either order and with the usual
 * separators, columns of a spreadsheet, Markdown, lists. Every line that is not empty gives at least one entry: what
 * cannot be read is said, not lost.
 */
export function parsePastedLinks(text: string): readonly PastedLink[] {
  return text.split(LINE_BREAK).flatMap((line) => {
    const content = cleanLine(line.replaceAll('\t', '\u2003')).replace(BULLETS, '');
    return content.trim() === '' ? [] : readLine(content);
  });
}

function readLine(line: string): readonly PastedLink[] {
  const columns = line.split('\u2003').map((column) => column.trim());
  const text = columns.filter(Boolean).join(' ');
  return (
    readMarkdown(text) ??
    readParts(columns) ??
    readAddresses(text) ??
    readParts(text.split(SEPARATOR)) ?? [
      {
        kind: 'unreadable',
        text,
        reason: OTHER_SCHEME.test(text)
          ? 'Só endereços http e https podem ser salvos'
          : 'Nenhum endereço nesta linha',
      },
    ]
  );
}

function readMarkdown(text: string): readonly PastedLink[] | null {
  const links = [...text.replace(MARKDOWN_IMAGE, '').matchAll(MARKDOWN_LINK)];
  return links.length === 0 ? null : links.map(([, title, url]) => readPastedLink(url ?? '', title ?? ''));
}

/** Addresses that say themselves what they are; the words around a single one are its title. */
function readAddresses(text: string): readonly PastedLink[] | null {
  const found = [...text.matchAll(WEB_ADDRESS)].map((match) =>
    trimAddress(match[0], text.slice(0, match.index)),
  );
  const [only] = found;
  if (only === undefined) return null;
  if (found.length > 1) return found.map((address) => readPastedLink(address, ''));
  const at = text.indexOf(only);
  const before = text.slice(0, at).replace(/[\s(<["“«]+$/, '');
  const after = text.slice(at + only.length).replace(/^[\s)>\]"”».,;]+/, '');
  return [readPastedLink(only, tidyTitle(`${before} ${after}`))];
}

/** One of the parts is an address, perhaps without https; the first other one is its title. */
function readParts(parts: readonly string[]): readonly PastedLink[] | null {
  const at = parts.findIndex((part) => part !== '' && !/\s/.test(part) && normalizeUrl(part) !== null);
  const address = parts[at];
  if (address === undefined) return null;
  const title = parts.find((part, index) => index !== at && tidyTitle(part) !== '');
  return [readPastedLink(address, tidyTitle(title ?? ''))];
}

function tidyTitle(text: string): string {
  return text.replace(EDGE_NOISE, '').replace(/\s+/g, ' ');
}

/** One entry of a pasted list. */
export type PastedLink =
  | {
      readonly kind: 'link';
      /** Complete, as it would be stored. */
      readonly url: string;
      /** At most 100 characters; null where the text has none but the address itself. */
      readonly title: string | null;
    }
  | {
      readonly kind: 'unreadable';
      readonly text: string;
      /** Why it cannot be saved, for the person to read. */
      readonly reason: string;
    };

/** Checks an address and its title as the form of one link would. */
export function readPastedLink(address: string, title: string): PastedLink {
  const line = cleanLine(title).replace(/\s+/g, ' ');
  const checked = v.safeParse(linkFormSchema.entries.url, address);
  if (!checked.success) {
    const text = [line, address].filter(Boolean).join(' · ');
    return { kind: 'unreadable', text, reason: checked.issues[0].message };
  }
  const url = checked.output;
  const named = line !== '' && line !== address && line !== url;
  return { kind: 'link', url, title: named ? shortenText(line, FIELD_LIMITS.linkTitle) : null };
}
