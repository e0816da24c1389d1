/** The veil behind dialogs and drawers. */
export const backdropClassName =
  'fixed inset-0 min-h-dvh bg-scrim transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0';

/** A dialog's surface: centred from 768 px, below that a sheet that rises from the bottom. */
export const dialogPopupClassName =
  'fixed flex max-h-[85dvh] w-full flex-col overflow-y-auto overscroll-contain bg-surface text-ink shadow-float outline-none ' +
  'transition-[opacity,translate,scale] ease-out ' +
  'max-md:inset-x-0 max-md:bottom-0 max-md:max-h-[92dvh] max-md:rounded-t-lg max-md:pb-[env(safe-area-inset-bottom)] ' +
  'max-md:data-ending-style:translate-y-full max-md:data-starting-style:translate-y-full ' +
  'md:top-1/2 md:left-1/2 md:-translate-x-1/2 md:-translate-y-1/2 md:rounded-lg md:border md:border-line ' +
  'md:data-ending-style:scale-[0.98] md:data-ending-style:opacity-0 md:data-starting-style:scale-[0.98] md:data-starting-style:opacity-0';

/** A menu's, a list's or a popover's surface. */
export const popupClassName =
  'origin-(--transform-origin) rounded border border-line bg-surface text-ink shadow-float outline-none ' +
  'transition-[opacity,scale] ease-out data-ending-style:scale-[0.98] data-ending-style:opacity-0 ' +
  'data-starting-style:scale-[0.98] data-starting-style:opacity-0';
