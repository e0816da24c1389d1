import type { FetchPage } from '../link-preview/fetch-page.ts';
import { openPage, withPatience } from '../link-preview/open-page.ts';
import { PreviewError, type PreviewFault } from '../link-preview/preview-error.ts';
import type { LinkVerdict } from './link-verdict.ts';

/** A slow site is no broken one. */
const PATIENCE_MS = 10_000;

/** Faults that say nothing of the link: what the address itself rules out, what we gave up, and a site that sends one round in circles. */
const UNSURE: ReadonlySet<PreviewFault> = new Set([
  'url',
  'credentials',
  'port',
  'private_address',
  'redirects',
  'aborted',
]);

/** The page is gone for good (404, 410), or the site cannot make it. Who refuses us (401, 403, 429, 503 …) may well open it to a person. */
function judgeStatus(status: number): LinkVerdict['outcome'] {
  if (status === 404 || status === 410) return 'fails';
  if (status === 429 || status === 503) return 'unsure';
  return status < 500 ? 'works' : 'fails';
}

/**
 * Opens a link by the guarded fetch, redirects and all, and reads nothing but the status. A name that leads inside fails like one that does
 * not exist: what becomes of a link must not map a private network.
 * @param caller gives up; then nothing is known.
 */
export async function judgeLink(
  fetchPage: FetchPage,
  url: string,
  caller: AbortSignal,
): Promise<LinkVerdict> {
  const address = URL.parse(url);
  if (address === null) return { outcome: 'unsure', status: null };
  try {
    const { response } = await withPatience(caller, PATIENCE_MS, (signal) =>
      openPage(fetchPage, address, signal),
    );
    return { outcome: judgeStatus(response.status), status: response.status };
  } catch (error) {
    if (!(error instanceof PreviewError)) throw error;
    return { outcome: UNSURE.has(error.fault) ? 'unsure' : 'fails', status: null };
  }
}
