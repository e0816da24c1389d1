import { joinClassNames } from '../../lib/browser/join-class-names.ts';

interface ProgressBarProps {
  /** What is measured, read aloud. */
  readonly label: string;
  /** 0 to 100; more is capped at 100. */
  readonly percent: number;
  readonly tone?: 'accent' | 'warning' | 'danger';
}

const fills = { accent: 'bg-accent', warning: 'bg-warning', danger: 'bg-danger' } as const;

/** How much of something is used. */
export function ProgressBar({ label, percent, tone = 'accent' }: ProgressBarProps) {
  const shown = Math.min(100, Math.max(0, percent));
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(shown)}
      className="h-1.5 overflow-hidden rounded-full bg-press"
    >
      <div
        className={joinClassNames('h-full rounded-full transition-[width]', fills[tone])}
        style={{ width: `${shown}%` }}
      />
    </div>
  );
}
