import { joinClassNames } from '../../lib/browser/join-class-names.ts';

/** A quiet block in the shape of what comes; give it its size with classes. Hidden from screen readers. */
export function Skeleton({ className }: { readonly className?: string }) {
  return (
    <span aria-hidden className={joinClassNames('block animate-breathe rounded-sm bg-press', className)} />
  );
}
