import type { TextFieldProps } from '../../../shared/ui/fields/text-field.tsx';
import { TextField } from '../../../shared/ui/fields/text-field.tsx';

type EmailFieldProps = Omit<TextFieldProps, 'label' | 'type'>;

/** The address of an account, typed as phones and password managers like it; spread `register('email')` onto it. */
export function EmailField(props: EmailFieldProps) {
  return (
    <TextField
      autoComplete="username"
      {...props}
      label="E-mail"
      type="email"
      inputMode="email"
      autoCapitalize="none"
      spellCheck={false}
    />
  );
}
