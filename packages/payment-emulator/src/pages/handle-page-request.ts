import type { Books } from '../books.ts';
import type { EmulatorOptions, RequestOrigin } from '../emulator-options.ts';

export type PageDeps = EmulatorOptions & {
  readonly books: Books;
  readonly moveClock: (to: number) => Promise<void>;
  readonly work: () => Promise<void>;
};

/** Answers a page of the emulator. */
export async function handlePageRequest(
  _deps: PageDeps,
  _request: Request,
  _path: string,
  _origin: RequestOrigin,
): Promise<Response> {
  return new Response(null, { status: 404 });
}
