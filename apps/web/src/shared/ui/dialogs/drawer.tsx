import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { backdropClassName } from '../menus/floating-class-names.ts';

interface DrawerProps {
  readonly open: boolean;
  readonly onClose: () => void;
  /** Read aloud as the drawer's name. */
  readonly label: string;
  readonly children: ReactNode;
}

/** A panel that slides in from the left over the page: the sidebar on phones (18rem). */
export function Drawer({ open, onClose, label, children }: DrawerProps) {
  return (
    <Base.Root open={open} onOpenChange={(next) => (next ? undefined : onClose())}>
      <Base.Portal>
        <Base.Backdrop className={backdropClassName} />
        <Base.Popup
          aria-label={label}
          className="fixed inset-y-0 left-0 flex w-(--sidebar-width-drawer) max-w-[85vw] flex-col border-r border-line bg-sidebar text-ink shadow-float outline-none transition-[translate] ease-out data-ending-style:-translate-x-full data-starting-style:-translate-x-full"
        >
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
