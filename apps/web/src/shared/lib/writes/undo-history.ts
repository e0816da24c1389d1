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

/** The place in the order of an act that is not answered yet, or whose way back is still being fetched. */
export interface UndoPlace {
  /** The undo key came here already: whoever knows the way goes it at once. */
  readonly isTaken: () => boolean;
  /** Puts the way back here, before what was done since; nothing happens where the key came already. Returns how to forget it. */
  readonly fill: (way: WayBack) => () => void;
  /** Nothing was done after all. */
  readonly forget: () => void;
}

/** Keeps a place for a way back: the undo key finds the act from the start, and never what came before it instead. */
export function reserveUndo(): UndoPlace {
  let taken = false;
  const early: WayBack = {
    undo: () => {
      taken = true;
    },
    drop: () => undefined,
  };
  const forget = rememberUndo(early);
  return {
    isTaken: () => taken,
    fill(way) {
      if (taken) return forget;
      const place = remembered.indexOf(early);
      if (place === -1) return rememberUndo(way);
      remembered = remembered.with(place, way);
      return () => {
        remembered = remembered.filter((other) => other !== way);
      };
    },
    forget,
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
