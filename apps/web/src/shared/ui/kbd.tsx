import type { ReactNode } from 'react';

/** A key to press, as a quiet hint. Hidden from screen readers and where there is no keyboard. */
export function Kbd({ children }: { readonly children: ReactNode }) {
  return (
    <kbd
      aria-hidden
      className="inline-grid h-5 min-w-5 place-items-center rounded-sm border border-line bg-paper px-1 font-sans text-xs text-ink-faint pointer-coarse:hidden"
    >
      {children}
    </kbd>
  );
}
