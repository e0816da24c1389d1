import type { LinkView } from './link-view.ts';

/** Sizes in rem, so that larger text gets larger cards. A card without a description keeps no space for one. */
const CARD = { minWidth: 14.5, height: 6.875, bareHeight: 4.625, tagsHeight: 1.75, gap: 0.625 } as const;
const ROW_HEIGHT = 2.75;

export interface GridPlan {
  readonly columns: number;
  /** Pixels. */
  readonly lineHeight: number;
  /** Of a line in which no link has a description; pixels. */
  readonly bareLineHeight: number;
  /** What a line grows by in which a link has tags; pixels. */
  readonly tagsHeight: number;
  /** Pixels between columns and between lines. */
  readonly gap: number;
}

/**
 * How many cards stand side by side.
 * @param width of the list, CSS pixels.
 * @param rem pixels of one rem.
 */
export function planGrid(view: LinkView, width: number, rem: number): GridPlan {
  const row = ROW_HEIGHT * rem;
  if (view === 'list') return { columns: 1, lineHeight: row, bareLineHeight: row, tagsHeight: 0, gap: 0 };
  const gap = CARD.gap * rem;
  const columns = Math.max(1, Math.floor((width + gap) / (CARD.minWidth * rem + gap)));
  return {
    columns,
    lineHeight: CARD.height * rem,
    bareLineHeight: CARD.bareHeight * rem,
    tagsHeight: CARD.tagsHeight * rem,
    gap,
  };
}
