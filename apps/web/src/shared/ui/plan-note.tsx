import type { ReactNode } from 'react';
import { PlanLockMark } from './plan-lock.tsx';

interface PlanNoteProps {
  /** What the plan lacks, or how much of it is used. Nothing shows where that is null. */
  readonly children: string | null;
  /** The way to the plans. */
  readonly action?: ReactNode;
}

/** What a lock says, in a form or a section: a quiet line above what cannot be done, with the way to the plans. */
export function PlanNote({ children, action }: PlanNoteProps) {
  if (children === null) return null;
  return (
    <div
      role="note"
      className="flex flex-wrap items-center gap-2 rounded bg-sunken px-3 py-2 text-sm text-ink-soft"
    >
      <PlanLockMark />
      <span className="min-w-0">{children}</span>
      {action}
    </div>
  );
}
