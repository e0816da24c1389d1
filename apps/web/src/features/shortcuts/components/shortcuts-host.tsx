import { Suspense, useState } from 'react';
import { lazyPart } from '../../../shared/lib/browser/lazy-part.tsx';
import { useIdlePreload } from '../../../shared/lib/browser/use-idle-preload.ts';
import { useShortcut } from '../../../shared/lib/browser/use-shortcut.ts';

const loadSheet = () => import('./shortcuts-sheet.tsx');
const ShortcutsSheet = lazyPart(loadSheet, (module) => module.ShortcutsSheet);

interface ShortcutsHostProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** The sheet of shortcuts, which '?' opens. Its code comes in an idle moment. */
export function ShortcutsHost({ open, onOpenChange }: ShortcutsHostProps) {
  const [needed, setNeeded] = useState(false);
  useIdlePreload(loadSheet);
  useShortcut('?', () => onOpenChange(true));
  if (open && !needed) setNeeded(true);
  return needed ? (
    <Suspense>
      <ShortcutsSheet open={open} onClose={() => onOpenChange(false)} />
    </Suspense>
  ) : null;
}
