import { createId } from '../writes/create-id.ts';

/** Data of a cached read, taken apart for keeping. */
export interface DataPieces {
  readonly pieces: readonly object[];
  readonly pageParams: readonly unknown[] | null;
}

interface Pages {
  readonly pages: readonly object[];
  readonly pageParams: readonly unknown[];
}

function isPages(data: object): data is Pages {
  return 'pages' in data && 'pageParams' in data;
}

/**
 * The pages of an endless list one by one, anything else in one piece. The query cache keeps a page that has not
 * changed as the same object: only the page of a changed row is written again.
 */
export function takeApart(data: object): DataPieces {
  if (isPages(data)) return { pieces: data.pages, pageParams: data.pageParams };
  return { pieces: [data], pageParams: null };
}

/** The opposite of `takeApart`. */
export function putTogether({ pieces, pageParams }: DataPieces): unknown {
  return pageParams === null ? pieces[0] : { pages: pieces, pageParams };
}

/** How each piece of data is called in the store and how many characters it has there. */
interface PieceName {
  readonly id: string;
  size: number | null;
}

const names = new WeakMap<object, PieceName>();

/** The name of a piece; it keeps it as long as it stays the same object. */
export function nameOf(piece: object): PieceName {
  const known = names.get(piece);
  if (known) return known;
  const name = { id: createId(), size: null };
  names.set(piece, name);
  return name;
}

/** Says that a piece has just been read from the store, where it has this name. */
export function rememberName(piece: object, name: PieceName): void {
  names.set(piece, name);
}
