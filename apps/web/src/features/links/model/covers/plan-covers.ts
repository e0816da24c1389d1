import type { GridPlan } from '../plan-grid.ts';

/** Sizes in rem. Below an image, which is 16 to 9 and as wide as its card, stand two lines of title and the host. */
const COVER = { minWidth: 15, textHeight: 4.375, gap: 0.625 } as const;
/** Side by side also on a phone. */
const FEWEST = 2;
/** Of a card, both together; pixels. */
const EDGES = 2;

/**
 * How many covers stand side by side, and how high they are: known before any image is there, so nothing jumps.
 * @param width of the list, CSS pixels.
 * @param rem pixels of one rem.
 */
export function planCovers(width: number, rem: number): GridPlan {
  const gap = COVER.gap * rem;
  const columns = Math.max(FEWEST, Math.floor((width + gap) / (COVER.minWidth * rem + gap)));
  const card = Math.max(0, (width - (columns - 1) * gap) / columns);
  const lineHeight = Math.ceil(((card - EDGES) * 9) / 16) + EDGES + COVER.textHeight * rem;
  // A cover shows no tags: its menu and the form do.
  return { columns, lineHeight, bareLineHeight: lineHeight, tagsHeight: 0, gap };
}
