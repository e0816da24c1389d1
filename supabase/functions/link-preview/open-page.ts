import { findUrlFault, type UrlFault } from '../_shared/find-url-fault.ts';
import type { FetchPage, PageResponse } from './fetch-page.ts';
import { PreviewError, type PreviewFault } from './preview-error.ts';

export type OpenedPage = {
  /** Where the redirects ended. */
  readonly url: URL;
  readonly response: PageResponse;
};

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const FAULTS: Readonly<Record<UrlFault, PreviewFault>> = {
  not_web: 'url',
  credentials: 'credentials',
  port: 'port',
  private: 'private_address',
};

/** Follows redirects, each judged as if a person had typed it. @throws PreviewError, or what `fetchPage` threw. */
export async function openPage(fetchPage: FetchPage, start: URL, signal: AbortSignal): Promise<OpenedPage> {
  let url = start;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const fault = findUrlFault(url);
    if (fault) throw new PreviewError(FAULTS[fault]);
    const response = await fetchPage(url, signal);
    const location = REDIRECTS.has(response.status) ? response.headers.get('location') : null;
    if (location === null) return { url, response };
    url = resolveLocation(location, url);
  }
  throw new PreviewError('redirects');
}

/** RFC 9110, section 10.2.2: relative to where we are; a fragment lives on unless a new one comes. */
function resolveLocation(location: string, from: URL): URL {
  const next = URL.parse(readHeaderText(location), from.href);
  if (next === null) throw new PreviewError('redirects');
  if (next.hash === '') next.hash = from.hash;
  return next;
}

/** Header values come as one character a byte; sites write accented paths in UTF-8. */
function readHeaderText(value: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(
      Uint8Array.from(value, (character) => character.charCodeAt(0)),
    );
  } catch {
    return value;
  }
}
