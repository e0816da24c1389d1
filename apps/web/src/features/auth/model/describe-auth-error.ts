import { ACCOUNT_MESSAGES, CAPTCHA_MESSAGES } from '@linkoteca/domain/messages/account-messages';
import { OFFLINE_MESSAGES } from '@linkoteca/domain/messages/offline-messages';
import { OfflineError } from '../../../shared/lib/connection/offline-error.ts';
import { isOfflineError, offlineMessage } from '../../../shared/lib/describe-error.ts';

/** What the auth service answered, as far as the screens tell it apart. */
export type AuthProblem =
  | 'invalid-credentials'
  | 'email-not-confirmed'
  | 'already-registered'
  | 'weak-password'
  | 'same-password'
  | 'reauthentication-needed'
  | 'link-expired'
  | 'second-step'
  | 'wrong-code'
  | 'factor-gone'
  | 'too-many'
  | 'session-missing'
  | 'captcha-missing'
  | 'captcha-failed'
  | 'offline'
  | 'other';

const byCode: Readonly<Record<string, AuthProblem>> = {
  invalid_credentials: 'invalid-credentials',
  email_not_confirmed: 'email-not-confirmed',
  user_already_exists: 'already-registered',
  email_exists: 'already-registered',
  weak_password: 'weak-password',
  same_password: 'same-password',
  reauthentication_needed: 'reauthentication-needed',
  otp_expired: 'link-expired',
  insufficient_aal: 'second-step',
  mfa_verification_failed: 'wrong-code',
  mfa_challenge_expired: 'wrong-code',
  reauthentication_not_valid: 'wrong-code',
  mfa_factor_not_found: 'factor-gone',
  mfa_recovery_codes_locked: 'too-many',
  over_email_send_rate_limit: 'too-many',
  over_request_rate_limit: 'too-many',
  over_sms_send_rate_limit: 'too-many',
  captcha_failed: 'captcha-failed',
  session_not_found: 'session-missing',
  bad_jwt: 'session-missing',
  no_authorization: 'session-missing',
};

/** Sorts an error of the auth client (AuthError: code, message, status; or what fetch threw). */
export function readAuthProblem(error: unknown): AuthProblem {
  const { code, message, name, status } = (error ?? {}) as Record<string, unknown>;
  const text = String(message ?? '');
  if (typeof code === 'string' && byCode[code]) return byCode[code];
  if (text.includes('already registered')) return 'already-registered';
  if (status === 429) return 'too-many';
  if (name === 'AuthSessionMissingError') return 'session-missing';
  if (name === 'CaptchaMissing') return 'captcha-missing';
  // The client wraps failed fetches and gateway answers (502, 503, 504) alike: status 0 never arrived.
  if (isOfflineError(error, text) || (name === 'AuthRetryableFetchError' && status === 0)) return 'offline';
  return 'other';
}

const words: Readonly<Partial<Record<AuthProblem, string>>> = {
  'email-not-confirmed': 'Confirme seu e-mail antes de entrar. Enviamos um link para você.',
  'weak-password': 'Essa senha é fraca ou muito comum. Escolha outra.',
  'same-password': ACCOUNT_MESSAGES.password.same,
  'reauthentication-needed':
    'Por segurança, a senha só pode ser trocada logo depois de entrar. Peça um novo link em “Esqueceu a senha?”.',
  'link-expired': 'Este link expirou ou já foi usado. Peça um novo.',
  'too-many': 'Muitas tentativas em pouco tempo. Espere um minuto e tente de novo.',
  'session-missing': 'Sua sessão terminou. Entre de novo.',
  'captcha-missing': CAPTCHA_MESSAGES.missing,
  'captcha-failed': CAPTCHA_MESSAGES.failed,
  offline: offlineMessage,
};

/** Words for a problem; `fallback` is the screen's own text. */
export function describeAuthError(error: unknown, fallback: string): string {
  if (error instanceof OfflineError) return OFFLINE_MESSAGES.writeRefused;
  return words[readAuthProblem(error)] ?? fallback;
}
