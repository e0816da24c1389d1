/** A tree item: focus is drawn around its own row, not around the branch below it. */
export const treeItemClassName =
  'outline-none [&:focus-visible>div]:outline-2 [&:focus-visible>div]:-outline-offset-2 [&:focus-visible>div]:outline-accent';

/** A row: 32 px under a pointer, 44 px under a thumb. */
export const rowClassName =
  'group/row relative flex h-8 cursor-pointer items-center gap-2 rounded pr-2 pl-2 text-base text-ink select-none ' +
  'transition-colors hover:bg-hover pointer-coarse:h-11';

/** A row's buttons: on hover and focus under a pointer (where the count stands otherwise), always under a thumb. */
export const rowActionsClassName =
  'relative z-1 -mr-1 hidden items-center group-focus-within/row:flex group-hover/row:flex pointer-coarse:flex ' +
  '[&.row-actions-open]:flex [[role=treeitem]:focus-visible>div>&]:flex';
