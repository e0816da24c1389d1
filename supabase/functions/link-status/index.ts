import { createCheckedFetch } from '../link-preview/create-checked-fetch.ts';
import type { FetchPage } from '../link-preview/fetch-page.ts';
import { createLinkStatus } from './create-link-status.ts';

/** Our own server connects to the very addresses that it has judged; the hosted platform has no such thing (decision 0018). */
const { fetchPublicPage } = globalThis as { readonly fetchPublicPage?: FetchPage };

const fetchPage =
  fetchPublicPage ??
  createCheckedFetch({
    fetch,
    resolve: (host, type, signal) => Deno.resolveDns(host, type, { signal }),
  });

// `check-links` calls it, no page does: without CORS.
Deno.serve(createLinkStatus({ fetchPage }));
