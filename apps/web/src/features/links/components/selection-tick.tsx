import { joinClassNames } from '../../../shared/lib/join-class-names.ts';

interface SelectionTickProps {
  readonly selected: boolean;
  readonly className?: string;
}

/**
 * The box that shows whether a link is picked; decorative, the title carries the state. It is one element that is always
 * there and drawn by the style sheet: in the frame of 'Selecionar todos' only attributes change.
 */
export function SelectionTick({ selected, className }: SelectionTickProps) {
  return (
    <span
      aria-hidden
      data-on={selected || undefined}
      className={joinClassNames(
        'hidden size-5 place-items-center rounded-sm border border-edge bg-surface group-data-selecting/links:grid data-on:border-accent data-on:bg-accent',
        'after:-mt-0.5 after:h-2.5 after:w-1.5 after:rotate-45 after:border-r-2 after:border-b-2 after:border-on-accent after:opacity-0 data-on:after:opacity-100',
        className,
      )}
    />
  );
}
