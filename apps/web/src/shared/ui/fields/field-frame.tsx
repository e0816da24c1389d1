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
    <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-1.5 *:col-span-2">
      <label htmlFor={id} className="[grid-column:1]! self-center text-sm font-medium text-ink">
        {label}
      </label>
      {children}
      {/* After its field in the document: a dialog starts, and Tab arrives, where people type. */}
      {aside ? <div className="[grid-column:2]! row-start-1 flex items-baseline">{aside}</div> : null}
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
