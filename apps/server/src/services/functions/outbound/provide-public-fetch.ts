import type { FetchPage } from '../../../../../../supabase/functions/link-preview/fetch-page.ts';

/** Loaded when a function first goes out: the others need nothing of it. */
const fetchPublicPage: FetchPage = async (url, signal, wish) => {
  pinnedFetch ??= import('./create-pinned-fetch.ts').then(({ createPinnedFetch }) => createPinnedFetch());
  return (await pinnedFetch)(url, signal, wish);
};
let pinnedFetch: Promise<FetchPage> | undefined;

// Loaded before each function: what this server's runtime has and the hosted platform's has not (decision 0018).
Object.defineProperty(globalThis, 'fetchPublicPage', { value: fetchPublicPage });
