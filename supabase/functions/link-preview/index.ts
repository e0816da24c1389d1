import { LRUCache } from 'lru-cache';
import { withCors } from '../_shared/answer-json.ts';
import { createCheckedFetch } from './create-checked-fetch.ts';
import { createLinkPreview } from './create-link-preview.ts';
import type { FetchPage } from './fetch-page.ts';
import type { Preview } from './preview-page.ts';

const REMEMBERED_PREVIEWS = 500;
const REMEMBERED_MS = 600_000;

/** Our own server connects to the very addresses that it has judged; the hosted platform has no such thing (decision 0018). */
const { fetchPublicPage } = globalThis as { readonly fetchPublicPage?: FetchPage };

const fetchPage =
  fetchPublicPage ??
  createCheckedFetch({
    fetch,
    resolve: (host, type, signal) => Deno.resolveDns(host, type, { signal }),
  });

Deno.serve(
  withCors(
    createLinkPreview({
      fetchPage,
      memory: new LRUCache<string, Preview>({ max: REMEMBERED_PREVIEWS, ttl: REMEMBERED_MS }),
      report: (report) => console.info('link preview', report),
    }),
  ),
);
