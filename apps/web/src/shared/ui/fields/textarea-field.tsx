import type { ReactNode, Ref, TextareaHTMLAttributes } from 'react';
import { useId } from 'react';
import { joinClassNames } from '../../lib/browser/join-class-names.ts';
import { describedByOf, fieldControlClassName } from './field-control.ts';
import { FieldFrame } from './field-frame.tsx';

export interface TextareaFieldProps extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  readonly label: string;
  readonly error?: string | undefined;
  readonly hint?: ReactNode;
  /** Characters typed so far and the most allowed; shown as 'n/1200 caracteres'. */
  readonly counter?: { readonly used: number; readonly max: number };
  /** One line high while it is empty; the counter comes with the text. */
  readonly folded?: boolean;
  readonly ref?: Ref<HTMLTextAreaElement>;
}

/** Several lines of text that grow with what is typed, with an optional counter. */
export function TextareaField({
  label,
  error,
  hint,
  counter,
  folded = false,
  className,
  id,
  rows = 3,
  ...rest
}: TextareaFieldProps) {
  const ownId = useId();
  const fieldId = id ?? ownId;
  const closed = folded && counter?.used === 0;
  const note = closed ? null : counter ? (
    <span className="tabular-nums">{`${counter.used}/${counter.max} caracteres`}</span>
  ) : (
    hint
  );
  return (
    <FieldFrame id={fieldId} label={label} error={error} hint={note}>
      <textarea
        {...rest}
        id={fieldId}
        rows={closed ? 1 : rows}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedByOf(fieldId, error, note)}
        className={joinClassNames(
          fieldControlClassName,
          'field-sizing-content max-h-60 py-2 leading-snug',
          closed ? 'min-h-10 resize-none pointer-coarse:min-h-11' : 'min-h-20 resize-y',
          className,
        )}
      />
    </FieldFrame>
  );
}
