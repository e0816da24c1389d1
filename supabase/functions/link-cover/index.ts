import { withCors } from '../_shared/answer-json.ts';
import { createCheckedFetch } from '../link-preview/create-checked-fetch.ts';
import type { FetchPage } from '../link-preview/fetch-page.ts';
import { createLinkCover } from './create-link-cover.ts';

/** Our own server connects to the very addresses that it has judged; the hosted platform has no such thing (decision 0018). */
const { fetchPublicPage } = globalThis as { readonly fetchPublicPage?: FetchPage };

const fetchPage =
  fetchPublicPage ??
  createCheckedFetch({
    fetch,
    resolve: (host, type, signal) => Deno.resolveDns(host, type, { signal }),
  });

Deno.serve(withCors(createLinkCover({ fetchPage, report: (report) => console.info('link cover', report) })));
