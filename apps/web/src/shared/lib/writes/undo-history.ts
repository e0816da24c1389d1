/** A way back from what was just done. */
interface WayBack {
  readonly undo: () => void;
  /** Nobody can go it any more: take its button away. */
  readonly drop: () => void;
}

let remembered: readonly WayBack[] = [];

/** Keeps a way back for the undo key. Returns how to forget it. */
export function rememberUndo(way: WayBack): () => void {
  remembered = [...remembered, way];
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
