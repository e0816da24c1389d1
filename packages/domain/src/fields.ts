import * as v from 'valibot';
import { PASSWORD_MAXIMUM, PASSWORD_MINIMUM } from './limits.ts';
import { cleanLine, cleanText, countCharacters } from './text.ts';

/** A text field of a form; one that is missing altogether counts as empty, so that it gets its own message. */
export function typedText(message: string) {
  return v.optional(v.string(message), '');
}

/** A required one-line text: cleaned, then between 1 and `max` code points. */
export function requiredLine(max: number, messages: { readonly empty: string; readonly long: string }) {
  return v.pipe(
    typedText(messages.empty),
    v.transform(cleanLine),
    v.nonEmpty(messages.empty),
    v.check((text) => countCharacters(text) <= max, messages.long),
  );
}

/** An optional text: cleaned, at most `max` code points; nothing typed is stored as null. */
export function optionalText(max: number, long: string) {
  return v.pipe(
    v.optional(v.nullable(v.string()), null),
    v.transform((text) => (text === null ? '' : cleanText(text))),
    v.check((text) => countCharacters(text) <= max, long),
    v.transform((text) => (text === '' ? null : text)),
  );
}

/** Whose a row is. */
export const userId = v.pipe(typedText('ID de usuário inválido'), v.uuid('ID de usuário inválido'));

/** An address someone typed: trimmed, lower case (as it is stored and compared), at most 254 characters (RFC 5321). */
export const emailSchema = v.pipe(
  typedText('Email inválido'),
  v.trim(),
  v.toLowerCase(),
  v.email('Email inválido'),
  v.maxLength(254, 'Email inválido'),
);

function password(minimum: number, message: string) {
  return v.pipe(
    typedText(message),
    v.check((text) => countCharacters(text) >= minimum, message),
    v.check(
      (text) => countCharacters(text) <= PASSWORD_MAXIMUM,
      `A senha pode ter no máximo ${PASSWORD_MAXIMUM} caracteres`,
    ),
  );
}

const newAccountPassword = password(
  PASSWORD_MINIMUM.account,
  `A senha precisa ter no mínimo ${PASSWORD_MINIMUM.account} caracteres`,
);

export const loginSchema = v.object({
  email: emailSchema,
  password: v.pipe(typedText('Informe sua senha'), v.nonEmpty('Informe sua senha')),
});

export const signUpSchema = v.object({
  name: v.pipe(typedText('Nome é obrigatório'), v.trim(), v.nonEmpty('Nome é obrigatório')),
  email: emailSchema,
  password: newAccountPassword,
});

export const resetPasswordSchema = v.object({ email: emailSchema });

/** /change-password: the reset flow keeps the minimum of sign-up. */
export const newPasswordSchema = v.pipe(
  v.object({ password: newAccountPassword, confirmPassword: typedText('') }),
  v.forward(
    v.partialCheck(
      [['password'], ['confirmPassword']],
      (form) => form.password === form.confirmPassword,
      'As senhas não coincidem.',
    ),
    ['confirmPassword'],
  ),
);

/** Settings, tab Segurança. The current password is verified by the caller. */
export const settingsPasswordSchema = v.pipe(
  v.object({
    currentPassword: v.pipe(typedText(''), v.nonEmpty('Senha atual é obrigatória')),
    newPassword: password(
      PASSWORD_MINIMUM.settings,
      `A nova senha precisa ter no mínimo ${PASSWORD_MINIMUM.settings} caracteres`,
    ),
    confirmPassword: v.pipe(typedText(''), v.nonEmpty('Confirme sua nova senha')),
  }),
  v.forward(
    v.partialCheck(
      [['newPassword'], ['confirmPassword']],
      (form) => form.newPassword === form.confirmPassword,
      'As senhas não correspondem',
    ),
    ['confirmPassword'],
  ),
);

/** Personal data; the e-mail is shown but cannot change. */
export const profileSchema = v.object({
  firstName: v.pipe(typedText(''), v.trim(), v.nonEmpty('Nome é obrigatório')),
  lastName: v.pipe(typedText(''), v.trim(), v.nonEmpty('Sobrenome é obrigatório')),
});

export type LoginForm = v.InferOutput<typeof loginSchema>;
export type SignUpForm = v.InferOutput<typeof signUpSchema>;
export type NewPasswordForm = v.InferOutput<typeof newPasswordSchema>;
export type SettingsPasswordForm = v.InferOutput<typeof settingsPasswordSchema>;
export type ProfileForm = v.InferOutput<typeof profileSchema>;
