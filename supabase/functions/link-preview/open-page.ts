import { findUrlFault, type UrlFault } from '../_shared/public-addresses.ts';
import type { FetchPage, PageResponse, PageWish } from './fetch-page.ts';
import { PreviewError, type PreviewFault } from './preview-error.ts';

/**
 * Does what goes out to the internet, and ends it in time. Whatever comes, all connections are closed when it answers.
 * @param caller ends the work when whoever asked has gone.
 * @throws PreviewError
 */
export async function withPatience<Found>(
  caller: AbortSignal,
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<Found>,
): Promise<Found> {
  const patience = AbortSignal.timeout(milliseconds);
  const done = new AbortController();
  const signal = AbortSignal.any([caller, patience, done.signal]);
  try {
    return await Promise.race([work(signal), failOn(signal)]);
  } catch (error) {
    if (caller.aborted) throw new PreviewError('aborted', { cause: error });
    if (patience.aborted) throw new PreviewError('timeout', { cause: error });
    throw error instanceof PreviewError ? error : new PreviewError('unreachable', { cause: error });
  } finally {
    done.abort();
  }
}

/** The answer comes in time even where a step does not listen to the signal. */
function failOn(signal: AbortSignal): Promise<never> {
  return new Promise((_, fail) => {
    signal.addEventListener('abort', () => fail(signal.reason), { once: true });
  });
}

type OpenedPage = {
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
export async function openPage(
  fetchPage: FetchPage,
  start: URL,
  signal: AbortSignal,
  wish?: PageWish,
): Promise<OpenedPage> {
  let url = start;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const fault = findUrlFault(url);
    if (fault) throw new PreviewError(FAULTS[fault]);
    const response = await fetchPage(url, signal, wish);
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
