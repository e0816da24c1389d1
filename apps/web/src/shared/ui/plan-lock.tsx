import { Lock } from 'lucide-react';
import type { ReactNode } from 'react';

/** Stands on a control that the plan does not have, or has no room for: seen before it is pressed. Its words are the control's. */
export function PlanLockMark() {
  return <Lock aria-hidden className="size-3! shrink-0 opacity-70" />;
}

interface PlanNoteProps {
  /** What the plan lacks, or how much of it is used. Nothing shows where that is null. */
  readonly children: string | null;
  /** The way to the plans. */
  readonly action?: ReactNode;
}

/** The same in a form or a section: a quiet line above what cannot be done, with the way to the plans. */
export function PlanNote({ children, action }: PlanNoteProps) {
  if (children === null) return null;
  return (
    <p
      role="note"
      className="flex flex-wrap items-center gap-x-2 gap-y-1 rounded bg-sunken px-3 py-2 text-sm text-ink-soft"
    >
      <Lock aria-hidden className="size-3.5 shrink-0 text-ink-faint" />
      <span className="min-w-0">{children}</span>
      {action}
    </p>
  );
}
