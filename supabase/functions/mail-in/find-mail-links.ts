import { FIELD_LIMITS } from '../../../packages/domain/src/limits.ts';
import { shortenText } from '../../../packages/domain/src/shorten-text.ts';
import { cleanLine, cleanText, countCharacters } from '../../../packages/domain/src/text.ts';
import { trimAddress } from '../../../packages/domain/src/trim-address.ts';
import { addressKey, normalizeUrl, readHost } from '../../../packages/domain/src/urls.ts';
import { type IncomingMail, valuesOf } from './incoming-mail.ts';
import { type Anchor, readHtml } from './read-html.ts';

/** A link as it is to be saved. */
export type MailLink = { readonly url: string; readonly title: string; readonly description: string | null };

/** Links that are looked for: more than the database takes of one message, so that it can say that there were more. */
const MOST_LINKS = 50;
const MOST_TEXT = 100_000;
const MOST_SUBJECT = 2_000;
/** Longer ones are not saved, so they are not looked at either. */
const MOST_ADDRESS = 1_000;

const ADDRESS = /https?:\/\/[^\s<>"“”«»]+/gi;
/** RFC 3676, section 4.3, and what is left of it where spaces at the end of a line are lost. */
const SIGNATURE = /^(?:>[ \t]?)*-- ?$/m;
const FORWARDED = /^(?:\s*(?:fwd?|enc|re|res)\s*:)+\s*/i;
const QUOTED = /^(?:>[ \t]?)+/gm;
/** What leads out of a list, by what it says or where it goes. */
const UNSUBSCRIBE =
  /unsubscri|descadastr|opt-?out|cancelar (?:a |sua )?(?:inscrição|assinatura)|sair da lista/i;
const LOOSE_ENDS = /^[\s.,;:–—|-]+|[\s.,;:–—|-]+$/g;

type MailText = Pick<IncomingMail, 'subject' | 'text' | 'html' | 'headers'>;

/**
 * The links of a message in the order of its subject, its text and its HTML, each address once: http and https, without those of its
 * signature and those that end a subscription. The only one has the subject for its title and the text around it for its description.
 */
export function findMailLinks(mail: MailText): readonly MailLink[] {
  const subject = cleanLine(mail.subject.slice(0, MOST_SUBJECT));
  const html = readHtml(mail.html);
  const text = cleanText((mail.text.trim() === '' ? html.text : mail.text).slice(0, MOST_TEXT));
  const body = (text.split(SIGNATURE)[0] ?? '').replace(QUOTED, '');
  const ended = new Set(listUnsubscribing(mail, html.anchors));
  const found = new Map<string, Anchor>();
  const add = (href: string, words: string) => {
    const url = href.length > MOST_ADDRESS ? null : normalizeUrl(cleanLine(href));
    const key = url === null ? null : addressKey(url);
    if (url === null || key === null || ended.has(key) || UNSUBSCRIBE.test(words) || UNSUBSCRIBE.test(url))
      return;
    if (countCharacters(url) > FIELD_LIMITS.linkUrl) return;
    const earlier = found.get(key);
    // The same address in text and HTML: there it has a name.
    if (earlier !== undefined) found.set(key, { href: earlier.href, words: earlier.words || words });
    else if (found.size < MOST_LINKS) found.set(key, { href: url, words });
  };
  for (const part of [subject, body]) for (const address of listAddresses(part)) add(address, '');
  for (const { href, words } of html.anchors) if (/^\s*https?:/i.test(href)) add(href, nameOf(href, words));

  const links = [...found.values()];
  const [only] = links;
  if (only === undefined) return [];
  if (links.length > 1)
    return links.map(({ href, words }) => ({
      url: href,
      title: titleOf(words || readHost(href)),
      description: null,
    }));
  const title = withoutAddresses(subject).replace(FORWARDED, '').replace(LOOSE_ENDS, '');
  const description = tidy(withoutAddresses(body));
  return [
    {
      url: only.href,
      title: titleOf(title || only.words || readHost(only.href)),
      description:
        description === '' || description === title
          ? null
          : shortenText(description, FIELD_LIMITS.linkDescription),
    },
  ];
}

function* listAddresses(text: string): Generator<string> {
  for (const { 0: address, index } of text.matchAll(ADDRESS))
    if (address.length <= MOST_ADDRESS) yield trimAddress(address, text.slice(0, index));
}

function* listUnsubscribing({ headers }: MailText, anchors: readonly Anchor[]): Generator<string> {
  const named = valuesOf(headers, 'list-unsubscribe').flatMap((value) => [
    ...listAddresses(value.slice(0, MOST_TEXT)),
  ]);
  const pressed = anchors.flatMap(({ href, words }) => (UNSUBSCRIBE.test(words) ? [href] : []));
  for (const address of [...named, ...pressed]) {
    const key = addressKey(cleanLine(address));
    if (key !== null) yield key;
  }
}

/** The words of an anchor, where they are not its address once more. */
function nameOf(href: string, words: string): string {
  const name = cleanLine(words).replace(/\s+/g, ' ').trim();
  const isAddress = /^https?:\/\//i.test(name) || addressKey(name) === addressKey(href);
  return isAddress ? '' : name;
}

function titleOf(words: string): string {
  return shortenText(cleanLine(words), FIELD_LIMITS.linkTitle);
}

function withoutAddresses(text: string): string {
  return text.replace(ADDRESS, ' ').replace(/[<([]\s*[>)\]]/g, ' ');
}

/** Lines without spaces at their ends, and not more than one empty one between two. */
function tidy(text: string): string {
  return text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
