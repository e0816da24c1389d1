import { FIELD_LIMITS } from '../../../packages/domain/src/limits.ts';
import { shortenText } from '../../../packages/domain/src/shorten-text.ts';
import { cleanLine } from '../../../packages/domain/src/text.ts';
import { createHeadParser, readCharset, type SaysEnough } from './create-head-parser.ts';
import type { FetchPage, PageResponse } from './fetch-page.ts';
import { openPage, withPatience } from './open-page.ts';
import { PreviewError } from './preview-error.ts';

export type Preview = PageDescription & {
  /** Where the redirects ended. */
  readonly url: string;
};

/** For everything together: names, connections, redirects, headers and the body. */
const PATIENCE_MS = 5_000;
const WITHOUT_BODY = new Set([204, 205]);
const PAGE_TYPES = new Set(['text/html', 'application/xhtml+xml']);

/**
 * Goes to a page and reads what it says of itself. Whatever comes, all connections are closed when it answers.
 * @param caller ends the work when whoever asked has gone.
 * @throws PreviewError
 */
export async function previewPage(fetchPage: FetchPage, start: URL, caller: AbortSignal): Promise<Preview> {
  return withPatience(caller, PATIENCE_MS, async (signal) => {
    const { url, response } = await openPage(fetchPage, start, signal);
    return { url: url.href, ...(await readPage(response)) };
  });
}

async function readPage(response: PageResponse): Promise<PageDescription> {
  const body = requireBody(response);
  const contentType = response.headers.get('content-type');
  if (!isPage(contentType)) throw new PreviewError('not_a_page');
  return describePage(decodeHead(await readHead(body), contentType));
}

/** What a site sends when all is well. @throws PreviewError for every other answer. */
export function requireBody({ status, body }: PageResponse): AsyncIterable<Uint8Array> {
  if (status < 200 || status > 299) throw new PreviewError('failed_page');
  if (WITHOUT_BODY.has(status) || body === null) throw new PreviewError('not_a_page');
  return body;
}

/** A site that does not say what it sends is believed to send a page. */
export function isPage(contentType: string | null): boolean {
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  return type === '' || PAGE_TYPES.has(type);
}

type PageDescription = { readonly title: string | null; readonly description: string | null };

/** Title and description of a page, as they fit into a link: one line each, within the limits of its fields. */
export function describePage(html: string): PageDescription {
  const parser = createHeadParser();
  parser.write(html);
  parser.end();
  const { facts } = parser;
  return {
    title: toField(facts.ogTitle ?? facts.twitterTitle ?? facts.title, FIELD_LIMITS.linkTitle),
    description: toField(
      facts.ogDescription ?? facts.twitterDescription ?? facts.description,
      FIELD_LIMITS.linkDescription,
    ),
  };
}

function toField(text: string | undefined, limit: number): string | null {
  const line = cleanLine(text ?? '').replace(/\s+/g, ' ');
  return shortenText(line, limit).trim() || null;
}

/**
 * Turns a page's bytes into text as browsers do: the byte order mark decides, then the `Content-Type` header, then the
 * page's own `<meta>`. A page that says nothing is UTF-8 when it can be, else Western European, as old Brazilian pages are.
 */
export function decodeHead({ bytes, charset }: HeadBytes, contentType: string | null): string {
  const decoder =
    createDecoder(readMark(bytes)) ??
    createDecoder(readCharset(contentType ?? '')) ??
    createDecoder(charset && correctMeta(charset));
  if (decoder) return decoder.decode(bytes, PIECE);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, PIECE);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes, PIECE);
  }
}

/** The bytes may end in the middle of a character. */
const PIECE = { stream: true } as const;

function readMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xff && second === 0xfe ? 'utf-16le' : undefined;
}

/** A `<meta>` that could be read as ASCII cannot stand in UTF-16 (HTML standard, section 13.2.3.2). */
function correctMeta(charset: string): string {
  return /^utf-?16/i.test(charset.trim()) ? 'utf-8' : charset;
}

function createDecoder(label: string | undefined): TextDecoder | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label);
  } catch {
    // Nobody knows this encoding.
    return undefined;
  }
}

type HeadBytes = {
  readonly bytes: Uint8Array;
  /** What the page's own `<meta>` says. */
  readonly charset: string | undefined;
};

/** Decompressed bytes of a page that are read at most; heads of real pages are a tenth of it. */
const MAX_BYTES = 512 * 1024;

/**
 * Reads a page until its head is over, it has said enough, or the limit is reached. Tags are ASCII in every encoding of the
 * web but UTF-16 (which is then read up to the limit), so the end is found before the encoding is known.
 */
export async function readHead(body: AsyncIterable<Uint8Array>, saysEnough?: SaysEnough): Promise<HeadBytes> {
  const bytes = new Uint8Array(MAX_BYTES);
  const parser = createHeadParser(saysEnough);
  const asciiDecoder = new TextDecoder('windows-1252');
  let length = 0;
  for await (const chunk of body) {
    const taken = chunk.subarray(0, MAX_BYTES - length);
    bytes.set(taken, length);
    length += taken.length;
    parser.write(asciiDecoder.decode(taken, { stream: true }));
    if (parser.isDone() || length === MAX_BYTES) break;
  }
  return { bytes: bytes.subarray(0, length), charset: parser.facts.charset };
}
