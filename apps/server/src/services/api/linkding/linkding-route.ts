import type { Library } from '../../../library/library.ts';

/** One call as linkding's programs make it. */
export type LinkdingCall = {
  readonly library: Library;
  /** What stands for `:id`; empty where there is none. */
  readonly id: string;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
  /** The address of what was asked, without its query. */
  readonly address: string;
};

type LinkdingAnswer = { readonly status: 200 | 201 | 204; readonly body?: object };

export type LinkdingRoute = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/api`, with a slash at its end as linkding has them. */
  readonly path: `/${string}/`;
  readonly run: (call: LinkdingCall) => Promise<LinkdingAnswer>;
};

export function defineLinkdingRoute(
  method: LinkdingRoute['method'],
  path: LinkdingRoute['path'],
  run: LinkdingRoute['run'],
): LinkdingRoute {
  return { method, path, run };
}
