import { Check } from 'lucide-react';
import { joinClassNames } from '../../../shared/lib/join-class-names.ts';

/** The box that shows whether a link is picked; decorative, the title carries the state. */
export function SelectionTick({
  selected,
  className,
}: {
  readonly selected: boolean;
  readonly className?: string;
}) {
  return (
    <span
      aria-hidden
      className={joinClassNames(
        'grid size-5 place-items-center rounded-sm border [&_svg]:size-3.5',
        selected ? 'border-accent bg-accent text-on-accent' : 'border-edge bg-surface',
        className,
      )}
    >
      {selected ? <Check strokeWidth={3} /> : null}
    </span>
  );
}
