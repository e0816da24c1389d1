import { isPublicAddress, readLiteral } from '../_shared/public-addresses.ts';
import { type FetchPage, PAGE_REQUEST_HEADERS } from './fetch-page.ts';
import { PreviewError } from './preview-error.ts';

export type CheckedFetchDeps = {
  readonly fetch: typeof fetch;
  /** @returns every address of one family; it throws when there is none. */
  readonly resolve: (host: string, type: 'A' | 'AAAA', signal: AbortSignal) => Promise<readonly string[]>;
};

/**
 * Pages for the hosted platform, whose `fetch` resolves names by itself: the name is looked up and judged right before, which
 * cannot tie the connection to what was judged (decision 0018). Our own server connects to the judged address itself.
 */
export function createCheckedFetch({ fetch, resolve }: CheckedFetchDeps): FetchPage {
  return async (url, signal, wish) => {
    const resolveBoth = async (host: string) => {
      const families = [resolve(host, 'A', signal), resolve(host, 'AAAA', signal)];
      const answers = await Promise.allSettled(families);
      return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    };
    const literal = readLiteral(url.hostname);
    const addresses = literal === undefined ? await resolveBoth(url.hostname) : [literal];
    if (addresses.length === 0) throw new PreviewError('unreachable');
    if (!addresses.every(isPublicAddress)) throw new PreviewError('private_name');
    return await fetch(url, {
      headers: { ...PAGE_REQUEST_HEADERS, ...(wish ? { accept: wish.accept } : {}) },
      redirect: 'manual',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal,
    });
  };
}
