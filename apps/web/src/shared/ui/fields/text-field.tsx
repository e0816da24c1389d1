import type { InputHTMLAttributes, ReactNode, Ref } from 'react';
import { useId } from 'react';
import { joinClassNames } from '../../lib/browser/join-class-names.ts';
import { describedByOf, fieldControlClassName } from './field-control.ts';
import { FieldFrame } from './field-frame.tsx';

export interface TextFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: string;
  readonly error?: string | undefined;
  readonly hint?: ReactNode;
  readonly aside?: ReactNode;
  readonly ref?: Ref<HTMLInputElement>;
}

/** One line of text with its label; spread react-hook-form's `register('name')` onto it. */
export function TextField({ label, error, hint, aside, className, id, ...rest }: TextFieldProps) {
  const ownId = useId();
  const fieldId = id ?? ownId;
  return (
    <FieldFrame id={fieldId} label={label} error={error} hint={hint} aside={aside}>
      <input
        {...rest}
        id={fieldId}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedByOf(fieldId, error, hint)}
        className={joinClassNames(fieldControlClassName, 'h-10 pointer-coarse:h-11', className)}
      />
    </FieldFrame>
  );
}
