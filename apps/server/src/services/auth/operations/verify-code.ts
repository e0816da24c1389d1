import * as v from 'valibot';
import { asAuthAdmin } from '../../../kernel/database.ts';
import { waitForStep } from '../answer-step.ts';
import {
  applyVerification,
  HALF_CONFIRMED_MESSAGE,
  isPhoneType,
  tokensOfPhoneType,
  tokensOfType,
  type WantedVerification,
} from '../apply-verification.ts';
import type { AuthContext, Operation } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { readBody, readEmail, readPhone, text } from '../body-fields.ts';
import { deviceOf, rememberDevice } from '../devices.ts';
import { notifyChange } from '../notices/notify-change.ts';
import { presentSession } from '../present/present-session.ts';
import { type Device, openSession } from '../stores/sessions.ts';
import { findUser } from '../stores/users.ts';

const BODY = v.object({ type: text, token: text, token_hash: text, email: text, phone: text });
type Body = v.InferOutput<typeof BODY>;

/** POST /verify: a typed code with its address or number, or a link's hash alone, for a session. */
export const verifyCode: Operation = async (context, request) => {
  const body = readBody(BODY, request.body);
  const wanted = readWanted(body);
  await context.limits.countVerification(request.ip);
  const start = performance.now();
  const verified = await redeem(context, wanted, deviceOf(request));
  if (verified.kind === 'unknown') {
    // A miss is written down where a code is awaited: that takes longer than finding none.
    await waitForStep(start, context.settings.answerStepMs);
    throw refuseProof(wanted.proof);
  }
  await context.limits.forgiveVerification(request.ip);
  if (verified.kind === 'half') return { body: { msg: HALF_CONFIRMED_MESSAGE, code: '200' } };
  if (verified.change) notifyChange(context, verified.change);
  const { email, phone } = verified.user;
  const byPhone = 'phone' in wanted.proof;
  await (byPhone
    ? context.limits.allowText('confirmation', phone ?? '')
    : context.limits.allowMail('confirmation', email ?? ''));
  const headers = await rememberDevice(context, request, byPhone ? phone : email);
  return { headers, body: await presentSession(context, verified.user, verified.opened) };
};

function refuseProof(proof: WantedVerification['proof']): AuthError {
  return new AuthError(
    'otp_expired',
    'link' in proof ? { message: 'Email link is invalid or has expired' } : {},
  );
}

function readWanted({ type, token, token_hash: hash, email, phone }: Body): WantedVerification {
  const only = 'Only an email address or phone number should be provided on verify';
  if (phone !== '' || isPhoneType(type)) {
    if (hash !== '') throw refuse('Invalid email verification type');
    if (token === '') throw refuse('Verify requires either a token or a token hash');
    if (phone === '' || email !== '') throw refuse(only);
    return { proof: { code: token, phone: readPhone(phone) }, types: tokensOfPhoneType(type) };
  }
  const types = tokensOfType(type);
  if (hash !== '') {
    if (token !== '' || email !== '') throw refuse('Only the token_hash and type should be provided');
    return { proof: { link: hash }, types };
  }
  if (token === '') throw refuse('Verify requires either a token or a token hash');
  if (email === '') throw refuse(only);
  return { proof: { code: token, email: readEmail(email) }, types };
}

function redeem({ db, settings, now }: AuthContext, wanted: WantedVerification, device: Device) {
  return asAuthAdmin(db, 'verify a code', async (tx) => {
    const at = now();
    const verified = await applyVerification(tx, settings, { ...wanted, ip: device.ip }, at);
    if (verified.kind !== 'proven') return verified;
    const opened = await openSession(tx, { userId: verified.user.id, method: 'otp', device }, at);
    const user = await findUser(tx, { id: verified.user.id });
    const { change } = verified;
    return { kind: 'session' as const, user: user ?? verified.user, opened, change };
  });
}

function refuse(message: string): AuthError {
  return new AuthError('validation_failed', { message });
}
