import * as v from 'valibot';
import type { Operation } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { authenticate } from '../authenticate.ts';
import { readBody, text } from '../body-fields.ts';

const BODY = v.object({ factor_type: text });
const REFUSALS = {
  totp: 'mfa_totp_enroll_not_enabled',
  phone: 'mfa_phone_enroll_not_enabled',
  webauthn: 'mfa_webauthn_enroll_not_enabled',
} as const;

/** POST /factors: second factors are switched off; each kind says so in its own words. */
export const enrollFactor: Operation = async (context, request) => {
  await authenticate(context, request);
  const { factor_type: type } = readBody(BODY, request.body);
  if (type === 'totp' || type === 'phone' || type === 'webauthn') throw new AuthError(REFUSALS[type]);
  throw new AuthError('validation_failed', { message: 'factor_type needs to be totp, phone, or webauthn' });
};
