/** Sizes in rem, so that larger text gets larger cards. */
const CARD = { minWidth: 17, height: 9, gap: 0.75 } as const;
const ROW_HEIGHT = 2.75;

export interface GridPlan {
  readonly columns: number;
  /** Pixels. */
  readonly lineHeight: number;
  /** Pixels between columns and between lines. */
  readonly gap: number;
}

/**
 * How many cards stand side by side.
 * @param width of the list, CSS pixels.
 * @param rem pixels of one rem.
 */
export function planGrid(view: 'grid' | 'list', width: number, rem: number): GridPlan {
  if (view === 'list') return { columns: 1, lineHeight: ROW_HEIGHT * rem, gap: 0 };
  const gap = CARD.gap * rem;
  const columns = Math.max(1, Math.floor((width + gap) / (CARD.minWidth * rem + gap)));
  return { columns, lineHeight: CARD.height * rem, gap };
}
