import { FIELD_LIMITS } from '@linkoteca/domain/limits';
import { shortenText } from '@linkoteca/domain/shorten-text';
import { cleanLine } from '@linkoteca/domain/text';
import { trimAddress } from '@linkoteca/domain/trim-address';
import { normalizeUrl } from '@linkoteca/domain/urls';

/** What another app's share menu hands over; each part may be missing. */
export interface SharedText {
  readonly title?: string | undefined;
  readonly text?: string | undefined;
  readonly url?: string | undefined;
}

/** What the form of a new link starts with. An empty `url` where none was shared. */
export interface SharedLink {
  readonly url: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
}

const ADDRESS = /https?:\/\/[^\s<>"]+/i;
/** What is left around an address that was taken out. */
const LOOSE_ENDS = /^[\s.,;:–—|-]+|[\s.,;:–—|-]+$/g;

/** Finds the link in what was shared: Android puts the address into the text, mostly together with words. */
export function readSharedText({ title = '', text = '', url = '' }: SharedText): SharedLink {
  const own = normalizeUrl(url);
  const inside = own ? null : (findAddress(text) ?? findAddress(title));
  const address = own ?? normalizeUrl(inside ?? '') ?? normalizeUrl(text) ?? '';
  const words = (part: string) => withoutAddress(part, inside ?? url, address);
  const [heading, note] = [words(title), words(text)];
  const name = heading || note;
  return {
    url: address,
    ...(name ? { title: shortenText(name, FIELD_LIMITS.linkTitle) } : {}),
    ...(note && note !== heading && (heading || note.length > FIELD_LIMITS.linkTitle)
      ? { description: shortenText(note, FIELD_LIMITS.linkDescription) }
      : {}),
  };
}

function findAddress(text: string): string | null {
  const found = ADDRESS.exec(text);
  return found === null ? null : trimAddress(found[0], text.slice(0, found.index));
}

function withoutAddress(text: string, ...addresses: readonly string[]): string {
  // Nothing but the address, perhaps without its https.
  if (addresses.includes(normalizeUrl(text) ?? text)) return '';
  const bare = addresses.filter(Boolean).reduce((rest, address) => rest.replaceAll(address, ' '), text);
  return cleanLine(bare)
    .replace(/(?:\s|\(\s+\)|\*{1,2}\s+\*{1,2})+/g, ' ')
    .replace(LOOSE_ENDS, '');
}
