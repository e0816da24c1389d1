import { TextField, type TextFieldProps } from './text-field.tsx';

/** Digits of the codes of authenticator apps. */
export const CODE_LENGTH = 6;

/** Digits of the longest code that a host may text. */
export const LONGEST_CODE = 10;

/** The digits of what was typed or pasted ('123 456'), as many as a code has. */
export function readCode(text: string, length = CODE_LENGTH): string {
  return text.replace(/\D/g, '').slice(0, length);
}

/** A code of an authenticator app, or one that was texted: digits on phones, and what the system offers to fill in. */
export function CodeField(props: TextFieldProps) {
  return (
    <TextField
      {...props}
      inputMode="numeric"
      autoComplete="one-time-code"
      autoCapitalize="off"
      spellCheck={false}
      className="font-mono text-lg tracking-[0.3em] tabular-nums"
    />
  );
}
