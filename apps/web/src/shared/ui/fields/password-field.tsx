import { Eye, EyeOff } from 'lucide-react';
import type { InputHTMLAttributes, KeyboardEvent, ReactNode, Ref } from 'react';
import { useId, useState } from 'react';
import { joinClassNames } from '../../lib/browser/join-class-names.ts';
import { IconButton } from '../icon-button.tsx';
import { describedByOf, fieldControlClassName } from './field-control.ts';
import { FieldFrame } from './field-frame.tsx';

export interface PasswordFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> {
  readonly label: string;
  readonly error?: string | undefined;
  readonly hint?: ReactNode;
  readonly aside?: ReactNode;
  /** 'current-password' or 'new-password': password managers depend on it. */
  readonly autoComplete: 'current-password' | 'new-password';
  readonly ref?: Ref<HTMLInputElement>;
}

/** A password with a button that shows it, and a word when caps lock is on. */
export function PasswordField({ label, error, hint, aside, className, id, ...rest }: PasswordFieldProps) {
  const ownId = useId();
  const fieldId = id ?? ownId;
  const [shown, setShown] = useState(false);
  const [capsLock, setCapsLock] = useState(false);
  const note = capsLock ? <span role="status">A tecla Caps Lock está ativada.</span> : hint;
  const noticeCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'));
  return (
    <FieldFrame id={fieldId} label={label} error={error} hint={note} aside={aside}>
      <div className="relative">
        <input
          {...rest}
          id={fieldId}
          type={shown ? 'text' : 'password'}
          autoCapitalize="none"
          spellCheck={false}
          onKeyDown={noticeCapsLock}
          onKeyUp={noticeCapsLock}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedByOf(fieldId, error, note)}
          className={joinClassNames(fieldControlClassName, 'h-10 pr-11 pointer-coarse:h-11', className)}
        />
        <IconButton
          label={shown ? 'Ocultar senha' : 'Mostrar senha'}
          aria-pressed={shown}
          aria-controls={fieldId}
          onClick={() => setShown(!shown)}
          className="absolute inset-y-0 right-1 my-auto"
        >
          {shown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
        </IconButton>
      </div>
    </FieldFrame>
  );
}
