import { required } from './required.ts';
import type { Deployment } from './start-deployment.ts';

/** A bookmark as linkding's programs read it. */
export type Bookmark = {
  readonly id: number;
  readonly url: string;
  readonly title: string;
  readonly description: string;
  readonly tag_names: readonly string[];
  readonly date_added: string;
};

export type BookmarkList = {
  readonly count: number;
  readonly next: string | null;
  readonly previous: string | null;
  readonly results: readonly Bookmark[];
};

export type LinkdingReply<T> = { readonly status: number; readonly headers: Headers; readonly body: T };

/**
 * Sends what the published extension (sissbruecker/linkding-extension, `src/linkding.js`) sends: one header, and for what is saved the type
 * of its content beside it.
 */
export async function askLinkding<T = Record<string, unknown>>(
  { url }: Deployment,
  token: string,
  path: string,
  { method = 'GET', content }: { readonly method?: string; readonly content?: unknown } = {},
): Promise<LinkdingReply<T>> {
  const reply = await fetch(path.startsWith('http') ? path : `${url}${path}`, {
    method,
    headers: {
      Authorization: `Token ${token}`,
      ...(content === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(content === undefined ? {} : { body: JSON.stringify(content) }),
  });
  const text = await reply.text();
  return {
    status: reply.status,
    headers: reply.headers,
    body: (text === '' ? undefined : JSON.parse(text)) as T,
  };
}

/** Its `search`: the first hundred, and what it reads of them. */
export async function searchAsExtension(
  deployment: Deployment,
  token: string,
  text: string,
  limit = 100,
): Promise<readonly Bookmark[]> {
  const path = `/api/bookmarks/?q=${encodeURIComponent(text)}&limit=${limit}`;
  const { status, body } = await askLinkding<BookmarkList>(deployment, token, path);
  if (status !== 200) throw new Error(`Error searching bookmarks: ${status}`);
  return required(body.results);
}
