import type { ReactNode } from 'react';
import { joinClassNames } from '../lib/browser/join-class-names.ts';

interface BadgeProps {
  readonly tone?: 'neutral' | 'accent' | 'warning' | 'danger';
  readonly children: ReactNode;
}

const tones = {
  neutral: 'bg-sunken text-ink-soft',
  accent: 'bg-accent-soft text-accent-text',
  warning: 'bg-warning-soft text-warning-text',
  danger: 'bg-danger-soft text-danger-text',
} as const;

/** A word set apart: a plan, a state, a count. */
export function Badge({ tone = 'neutral', children }: BadgeProps) {
  return (
    <span
      className={joinClassNames(
        'inline-flex h-5 shrink-0 items-center gap-1 rounded-sm px-1.5 text-xs font-medium whitespace-nowrap tabular-nums [&_svg]:size-3',
        tones[tone],
      )}
    >
      {children}
    </span>
  );
}
