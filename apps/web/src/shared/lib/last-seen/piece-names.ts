import { createId } from '../create-id.ts';

/** How each piece of data is called in the store and how many characters it has there. */
export interface PieceName {
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
