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
  readonly ref?: Ref<HTMLTextAreaElement>;
}

/** Several lines of text that grow with what is typed, with an optional counter. */
export function TextareaField({
  label,
  error,
  hint,
  counter,
  className,
  id,
  rows = 3,
  ...rest
}: TextareaFieldProps) {
  const ownId = useId();
  const fieldId = id ?? ownId;
  const note = counter ? (
    <span className="tabular-nums">{`${counter.used}/${counter.max} caracteres`}</span>
  ) : (
    hint
  );
  return (
    <FieldFrame id={fieldId} label={label} error={error} hint={note}>
      <textarea
        {...rest}
        id={fieldId}
        rows={rows}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedByOf(fieldId, error, note)}
        className={joinClassNames(
          fieldControlClassName,
          'field-sizing-content max-h-60 min-h-20 resize-y py-2 leading-snug',
          className,
        )}
      />
    </FieldFrame>
  );
}
