import { normalizeUrl } from '@linkoteca/domain/urls';

const WEB_ADDRESS = /https?:\/\/\S/i;
const WEB_ANCHOR = /<a\s[^>]*\bhref\s*=\s*["']?https?:/i;

/**
 * The text of a paste that has links in it, else null. What was copied from a page as anchors, whose text does not say
 * their addresses, comes as its HTML.
 */
export function findLinkText(data: Pick<DataTransfer, 'getData'> | null): string | null {
  const plain = data?.getData('text/plain').trim() ?? '';
  if (WEB_ADDRESS.test(plain) || plain.split('\n').some(isBareAddress)) return plain;
  const html = data?.getData('text/html') ?? '';
  return WEB_ANCHOR.test(html) ? html : null;
}

function isBareAddress(line: string): boolean {
  const word = line.trim();
  return !/\s/.test(word) && normalizeUrl(word) !== null;
}
