import type { Link } from '@linkoteca/domain/entities';
import { useEffect, useLayoutEffect, useState } from 'react';
import { type LinkScan, scanLinks } from './link-scan.ts';

/** Milliseconds of one frame that searching may take; the rest is for drawing. */
const SLICE_MS = 5;

interface HeldHits {
  readonly needle: string;
  readonly links: readonly Link[];
}

const NONE: readonly Link[] = [];

/**
 * The newest held links that contain the folded term: in the frame of the key press, as long as a few milliseconds suffice
 * for them, else a few frames later. Null until the search is through.
 */
export function useHeldHits(
  needle: string,
  listLinks: () => readonly (readonly Link[])[],
  limit: number,
): readonly Link[] | null {
  const [found, setFound] = useState<HeldHits>({ needle: '', links: NONE });

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is listed may change below the results; they stay
  useLayoutEffect(() => {
    if (needle === '') return undefined;
    const scan = scanLinks(listLinks(), needle, limit);
    return inSlices(scan, () => setFound({ needle, links: scan.hits() }));
  }, [needle, limit]);

  return needle === '' ? NONE : found.needle === needle ? found.links : null;
}

/**
 * Folds what the browser holds while nobody waits, so that the first key press finds it done.
 * @param wanted while someone is about to search.
 */
export function useFoldHeldLinks(wanted: boolean, listLinks: () => readonly (readonly Link[])[]): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time somebody begins
  useEffect(() => {
    // No text contains this, so every link is looked at.
    return wanted ? inSlices(scanLinks(listLinks(), '\0', 1), () => undefined) : undefined;
  }, [wanted]);
}

/** Runs a scan, at first now, then between the frames. Returns how to stop it. */
function inSlices(scan: LinkScan, onDone: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const go = () => {
    if (scan.run(performance.now() + SLICE_MS)) onDone();
    else timer = setTimeout(go);
  };
  go();
  return () => clearTimeout(timer);
}
