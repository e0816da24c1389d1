import type { ReactNode } from 'react';

interface FieldFrameProps {
  readonly id: string;
  readonly label: string;
  readonly error?: string | undefined;
  readonly hint?: ReactNode;
  /** Shown at the right of the label: a counter, or a link such as 'Esqueceu a senha?'. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** Label above, control, then the error or the hint below; the control points at them with describedByOf(id). */
export function FieldFrame({ id, label, error, hint, aside, children }: FieldFrameProps) {
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="text-sm font-medium text-ink">
          {label}
        </label>
        {aside}
      </div>
      {children}
      {error ? (
        <p id={`${id}-error`} role="alert" className="text-sm text-danger-text">
          {error}
        </p>
      ) : null}
      {hint ? (
        <div id={`${id}-hint`} className="text-sm text-ink-faint">
          {hint}
        </div>
      ) : null}
    </div>
  );
}
