import * as v from 'valibot';
import type { AuthContext, AuthRequest } from './auth-context.ts';
import { AuthError } from './auth-error.ts';
import type { CaptchaSettings } from './auth-settings.ts';

/** Where the clients put the token of a form's captcha. */
const BODY = v.object({
  gotrue_meta_security: v.object({ captcha_token: v.pipe(v.string(), v.nonEmpty()) }),
});

/** The same words from both providers: hCaptcha's `siteverify` and Turnstile's. */
const VERDICT = v.object({
  success: v.boolean(),
  'error-codes': v.optional(v.array(v.string()), []),
});

const TIMEOUT_MS = 10_000;

/** The providers' tokens have at most 2048 characters (Turnstile) or some thousands (hCaptcha). */
const MAX_TOKEN_LENGTH = 16_384;

/**
 * Asks the provider whether a person sent this request; nothing where no captcha is configured. A provider that cannot be
 * reached lets nobody through: whoever could keep it away from us would have switched it off.
 * @throws captcha_failed
 */
export async function verifyCaptcha(
  { settings, logger }: Pick<AuthContext, 'settings' | 'logger'>,
  { body, ip }: Pick<AuthRequest, 'body' | 'ip'>,
): Promise<void> {
  const { captcha } = settings;
  if (!captcha) return;
  const read = v.safeParse(BODY, body);
  const token = read.success ? read.output.gotrue_meta_security.captcha_token : '';
  if (token === '' || token.length > MAX_TOKEN_LENGTH) throw refuse('no captcha_token found');
  const verdict = await askProvider(captcha, token, ip).catch((err: unknown) => {
    logger.error({ err }, 'auth: the captcha provider could not be asked');
    throw new AuthError('captcha_failed', { message: 'captcha verification process failed', cause: err });
  });
  if (verdict.success) return;
  const reasons = verdict['error-codes'];
  // A fault of ours, not of the person: no form can be sent until the operator has put it right.
  if (reasons.some((reason) => reason.endsWith('-secret')))
    logger.error({ reasons }, 'auth: the captcha provider does not accept CAPTCHA_SECRET');
  throw refuse(reasons.join(', ') || 'invalid-input-response');
}

async function askProvider({ siteKey, secret, verifyUrl }: CaptchaSettings, token: string, ip: string) {
  const response = await fetch(verifyUrl, {
    method: 'POST',
    body: new URLSearchParams({ secret, response: token, remoteip: ip, sitekey: siteKey }),
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`the provider answered ${response.status}`);
  return v.parse(VERDICT, await response.json());
}

/** As GoTrue words it; the clients show it in a console, our screens have words of their own. */
function refuse(why: string): AuthError {
  return new AuthError('captcha_failed', { message: `captcha protection: request disallowed (${why})` });
}
