/** A way back from what was just done. */
export interface WayBack {
  readonly undo: () => void;
  /** Nobody can go it any more: take its button away. */
  readonly drop: () => void;
}

let remembered: readonly WayBack[] = [];

/**
 * Keeps a way back for the undo key.
 * @param earlier another way back from the same act, whose place this one takes: what was done since is taken back before it.
 * @returns how to forget it.
 */
export function rememberUndo(way: WayBack, earlier?: WayBack): () => void {
  const place = earlier === undefined ? -1 : remembered.indexOf(earlier);
  remembered = place === -1 ? [...remembered, way] : remembered.with(place, way);
  return () => {
    remembered = remembered.filter((other) => other !== way);
  };
}

/** Takes back what was done last and can still be taken back; nothing happens when there is none. */
export function undoLast(): void {
  const last = remembered.at(-1);
  remembered = remembered.slice(0, -1);
  last?.undo();
}

/** Forgets every way back: whoever could have gone it is not here any more. */
export function forgetUndos(): void {
  const dropped = remembered;
  remembered = [];
  for (const way of dropped) way.drop();
}
