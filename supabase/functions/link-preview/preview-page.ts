import { decodeHead } from './decode-head.ts';
import { describePage, type PageDescription } from './describe-page.ts';
import type { FetchPage, PageResponse } from './fetch-page.ts';
import { openPage } from './open-page.ts';
import { PreviewError } from './preview-error.ts';
import { readHead } from './read-head.ts';

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
  const patience = AbortSignal.timeout(PATIENCE_MS);
  const done = new AbortController();
  const signal = AbortSignal.any([caller, patience, done.signal]);
  try {
    return await Promise.race([visit(fetchPage, start, signal), failOn(signal)]);
  } catch (error) {
    if (caller.aborted) throw new PreviewError('aborted', { cause: error });
    if (patience.aborted) throw new PreviewError('timeout', { cause: error });
    throw error instanceof PreviewError ? error : new PreviewError('unreachable', { cause: error });
  } finally {
    done.abort();
  }
}

async function visit(fetchPage: FetchPage, start: URL, signal: AbortSignal): Promise<Preview> {
  const { url, response } = await openPage(fetchPage, start, signal);
  return { url: url.href, ...(await readPage(response)) };
}

/** The answer comes in time even where a step does not listen to the signal. */
function failOn(signal: AbortSignal): Promise<never> {
  return new Promise((_, fail) => {
    signal.addEventListener('abort', () => fail(signal.reason), { once: true });
  });
}

async function readPage({ status, headers, body }: PageResponse): Promise<PageDescription> {
  if (status < 200 || status > 299) throw new PreviewError('failed_page');
  if (WITHOUT_BODY.has(status)) throw new PreviewError('not_a_page');
  const contentType = headers.get('content-type');
  if (body === null || !isPage(contentType)) throw new PreviewError('not_a_page');
  return describePage(decodeHead(await readHead(body), contentType));
}

/** A site that does not say what it sends is believed to send a page. */
function isPage(contentType: string | null): boolean {
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  return type === '' || PAGE_TYPES.has(type);
}
