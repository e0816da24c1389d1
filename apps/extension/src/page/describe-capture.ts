import { FIELD_LIMITS } from '@linkoteca/domain/limits';
import { shortenText } from '@linkoteca/domain/shorten-text';
import { cleanLine, cleanText, countCharacters } from '@linkoteca/domain/text';
import { normalizeUrl, readHost } from '@linkoteca/domain/urls';
import type { Capture } from '../outbox/capture.ts';

/** What is to be saved, as a page or a menu names it. */
export interface Found {
  readonly url: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
}

/** Characters of a text that are looked at: pages may say megabytes. */
const MOST_TEXT = 10_000;

/** Whether it is an address of the web, and too long for a link. */
export function isTooLong(url: string): boolean {
  const address = normalizeUrl(url.slice(0, MOST_TEXT));
  return address !== null && countCharacters(address) > FIELD_LIMITS.linkUrl;
}

/**
 * The capture of what was found, within the limits of a link: text alone, whatever markup stands in it.
 * @returns null where it is no address of the web, or too long for a link.
 */
export function describeCapture({ url, title = '', description = '' }: Found, id: string): Capture | null {
  const address = url.length > MOST_TEXT ? null : normalizeUrl(url);
  if (address === null || countCharacters(address) > FIELD_LIMITS.linkUrl) return null;
  const name = cleanLine(title.slice(0, MOST_TEXT)).replace(/\s+/g, ' ') || readHost(address);
  const text = cleanText(description.slice(0, MOST_TEXT));
  return {
    id,
    url: address,
    title: shortenText(name, FIELD_LIMITS.linkTitle),
    description: text === '' ? null : shortenText(text, FIELD_LIMITS.linkDescription),
    categoryId: null,
    tags: [],
  };
}
