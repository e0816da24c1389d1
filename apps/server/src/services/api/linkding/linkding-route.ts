import type { Library } from '../../../library/library.ts';
import type { PageText } from './page-text.ts';

/** One call as linkding's programs make it. */
export type LinkdingCall = {
  readonly library: Library;
  /** What stands for `:id`; empty where there is none. */
  readonly id: string;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
  /** The address of what was asked, without its query. */
  readonly address: string;
  /** Of the page that `pageOf` named; undefined where none was named, or it says nothing. */
  readonly page: PageText | undefined;
};

type LinkdingAnswer = { readonly status: 200 | 201 | 204; readonly body?: object };

export type LinkdingRoute = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/api`, with a slash at its end as linkding has them. */
  readonly path: `/${string}/`;
  readonly run: (call: LinkdingCall) => Promise<LinkdingAnswer>;
  /** The address of a page that `run` wants to know: opened before it, while nothing of the database is held. */
  readonly pageOf?: PageOf | undefined;
};

type PageOf = (call: Omit<LinkdingCall, 'page'>) => Promise<string | undefined>;

export function defineLinkdingRoute(
  method: LinkdingRoute['method'],
  path: LinkdingRoute['path'],
  run: LinkdingRoute['run'],
  pageOf?: PageOf,
): LinkdingRoute {
  return { method, path, run, pageOf };
}
