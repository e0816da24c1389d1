import { useRef } from 'react';

/** The keyboard's next place in the folder tree when the row it was on goes away. */
interface TreeNeighbour {
  /** To be called before the rows go: remembers the nearest row after them, else before. */
  readonly remember: (goingIds: readonly string[]) => void;
  /** The remembered row; null when there is none. */
  readonly find: () => HTMLElement | null;
}

export function useTreeNeighbour(): TreeNeighbour {
  const neighbourId = useRef<string | undefined>(undefined);
  return {
    remember: (goingIds) => {
      const ids = findRows().map((row) => row.dataset['node'] ?? '');
      const stays = (id: string) => !goingIds.includes(id);
      const at = ids.findIndex((id) => !stays(id));
      neighbourId.current = ids.slice(at).find(stays) ?? ids.slice(0, Math.max(0, at)).findLast(stays);
    },
    find: () => findRows().find((row) => row.dataset['node'] === neighbourId.current) ?? null,
  };
}

function findRows(): readonly HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('[role="tree"] [data-node]')];
}
