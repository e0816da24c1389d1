import { readPerson } from '../_shared/read-person.ts';
import { readUrl } from '../link-preview/create-link-preview.ts';
import type { FetchPage } from '../link-preview/fetch-page.ts';
import { describeFault, PreviewError, type PreviewFault } from '../link-preview/preview-error.ts';
import { findCover } from './find-cover.ts';

/** What became of a request. Only the host is told: the rest of an address is the person's own business. */
export type CoverReport = {
  readonly person: string | undefined;
  readonly host: string | undefined;
  readonly outcome: 'fetched' | PreviewFault;
  readonly bytes: number;
  readonly milliseconds: number;
};

export type LinkCoverDeps = {
  readonly fetchPage: FetchPage;
  readonly report?: (report: CoverReport, request: Request) => void;
};

/** A document that somebody opens all the same does nothing, and is saved. */
const GUARD = {
  'cache-control': 'no-store',
  'content-disposition': 'attachment',
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
};

/**
 * The function `link-cover`: `POST {"url"}` by a signed-in person answers the own image of that page, as it is, for the person's browser
 * to scale; anything else `{"error"}` with a sentence in Portuguese. It keeps nothing.
 */
export function createLinkCover(deps: LinkCoverDeps): (request: Request) => Promise<Response> {
  return async (request) => {
    const start = performance.now();
    const person = readPerson(request.headers);
    let host: string | undefined;
    const report = (outcome: CoverReport['outcome'], bytes = 0) => {
      const milliseconds = Math.round(performance.now() - start);
      deps.report?.({ person, host, outcome, bytes, milliseconds }, request);
    };
    try {
      if (request.method !== 'POST') throw new PreviewError('method');
      if (person === undefined) throw new PreviewError('person');
      const url = await readUrl(request);
      host = url.host;
      const { type, bytes } = await findCover(deps.fetchPage, url, request.signal);
      report('fetched', bytes.length);
      return new Response(bytes, { headers: { ...GUARD, 'content-type': type } });
    } catch (error) {
      if (!(error instanceof PreviewError)) throw error;
      report(error.fault);
      const { status, text } = describeFault(error.fault);
      const headers = { 'cache-control': 'no-store', ...(status === 405 ? { allow: 'POST' } : {}) };
      return Response.json({ error: text }, { status, headers });
    }
  };
}
