import { FIELD_LIMITS } from '@linkoteca/domain/limits';
import { shortenText } from '@linkoteca/domain/shorten-text';
import { queryOptions, skipToken } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';
import { useAuthorizedFetch } from '../../../shared/lib/supabase/use-authorized-fetch.ts';

/** What is known of a page. A failure is an answer like others: nobody waits for it, and nothing is broken by it. */
export type LinkPreview =
  | { readonly kind: 'found'; readonly title: string; readonly description: string }
  /** The page says nothing, cannot be reached, or is none. */
  | { readonly kind: 'nothing' }
  /** Too many were asked for in a short time. */
  | { readonly kind: 'busy' }
  /** The service itself did not answer. */
  | { readonly kind: 'unavailable' };

const ABOUT_THE_PAGE = new Set([400, 413, 422, 502, 504]);

/**
 * Asks the service for a page's title and description, each cut to its field; empty where the page has none.
 * @throws only when aborted.
 */
export async function fetchLinkPreview(
  send: typeof fetch,
  serviceUrl: string,
  url: string,
  signal: AbortSignal,
): Promise<LinkPreview> {
  try {
    const response = await send(`${serviceUrl}/functions/v1/link-preview`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url }),
      signal,
    });
    if (response.ok) return readPreview(await response.json());
    if (response.status === 429) return { kind: 'busy' };
    return { kind: ABOUT_THE_PAGE.has(response.status) ? 'nothing' : 'unavailable' };
  } catch (error) {
    if (signal.aborted) throw error;
    return { kind: 'unavailable' };
  }
}

function readPreview(body: unknown): LinkPreview {
  const { title, description } = (body ?? {}) as { title?: unknown; description?: unknown };
  const found = {
    title: tidy(title, FIELD_LIMITS.linkTitle),
    description: tidy(description, FIELD_LIMITS.linkDescription),
  };
  return found.title === '' && found.description === '' ? { kind: 'nothing' } : { kind: 'found', ...found };
}

function tidy(text: unknown, max: number): string {
  return typeof text === 'string' ? shortenText(text.replace(/\s+/g, ' ').trim(), max) : '';
}

/** The cached question after a page; null asks nothing. A question that nobody looks at any more is aborted. */
export function useLinkPreviewQuery() {
  const send = useAuthorizedFetch();
  const { supabaseUrl } = useBackend().config;
  return useCallback(
    (url: string | null) =>
      queryOptions({
        queryKey: ['link-preview', url],
        queryFn: url === null ? skipToken : ({ signal }) => fetchLinkPreview(send, supabaseUrl, url, signal),
        // A page is asked once while a form is open; what went wrong may be asked again by the next form.
        staleTime: (query) => (query.state.data?.kind === 'found' ? Number.POSITIVE_INFINITY : 0),
        gcTime: 60_000,
        retry: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
      }),
    [send, supabaseUrl],
  );
}
