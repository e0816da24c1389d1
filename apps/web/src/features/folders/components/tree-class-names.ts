import type { RowDrop } from '../model/tree-drops.ts';

/**
 * A row: 32 px under a pointer, 44 px under a thumb. One beyond the window's edge is not laid out: opening a folder of 600
 * categories costs a third of the time.
 */
export const rowClassName =
  'group/row relative flex h-8 [content-visibility:auto] cursor-pointer items-center gap-2 rounded px-2 text-base text-ink select-none ' +
  'transition-colors hover:bg-hover focus-visible:-outline-offset-2 pointer-coarse:h-11';

/**
 * How much is in it, written by `data-count` so that the row's name stays its own (the description says it aloud).
 * Under a pointer the row's buttons take its place.
 */
export const countClassName =
  'text-xs text-ink-faint tabular-nums after:content-[attr(data-count)] pointer-fine:group-hover/row:hidden pointer-fine:group-focus-within/row:hidden';

/** A row's buttons: on hover and focus under a pointer, always under a thumb. */
export const rowActionsClassName =
  'relative z-1 -mr-1 hidden items-center gap-2 pointer-coarse:gap-0 group-focus-within/row:flex group-focus-visible/row:flex ' +
  'group-hover/row:flex pointer-coarse:flex [&.row-actions-open]:flex';

/** How a row shows that the drag under way may end on it. */
export const dropClassNames: Readonly<Record<RowDrop, string>> = {
  idle: '',
  possible: 'outline-1 -outline-offset-1 outline-dashed outline-edge-soft',
  over: 'bg-accent-soft text-accent-text outline-2 -outline-offset-2 outline-solid outline-accent',
  closed: 'opacity-50',
};
