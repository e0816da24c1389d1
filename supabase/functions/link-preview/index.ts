import { withCors } from '../_shared/with-cors.ts';
import { createCheckedFetch } from './create-checked-fetch.ts';
import { createLinkPreview } from './create-link-preview.ts';

/** The part of the hosted platform's runtime that is used here. */
declare const Deno: {
  serve(handler: (request: Request) => Promise<Response>): unknown;
  resolveDns(host: string, type: 'A' | 'AAAA', options: { signal: AbortSignal }): Promise<string[]>;
};

const fetchPage = createCheckedFetch({
  fetch,
  resolve: (host, type, signal) => Deno.resolveDns(host, type, { signal }),
});

Deno.serve(withCors(createLinkPreview({ fetchPage })));
