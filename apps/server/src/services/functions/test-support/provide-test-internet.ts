import type { FetchPage } from '../../../../../../supabase/functions/link-preview/fetch-page.ts';

/** Loaded into a worker in the place of the way to the internet: one page at every address, which counts its visits. */
let visits = 0;

async function* page(): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`<title>Visita ${visits}</title>`);
}

const fetchPublicPage: FetchPage = async () => {
  visits += 1;
  return { status: 200, headers: new Headers({ 'content-type': 'text/html' }), body: page() };
};

Object.defineProperty(globalThis, 'fetchPublicPage', { value: fetchPublicPage });
