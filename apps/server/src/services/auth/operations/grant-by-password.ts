import * as v from 'valibot';
import { asAuthAdmin, queryAsAuthAdmin, type Transaction } from '../../../kernel/database.ts';
import { waitForStep } from '../answer-step.ts';
import type { AuthContext, AuthRequest, Operation } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { normalizeEmail, normalizePhone, readBody, text } from '../body-fields.ts';
import { deviceOf, findKnownDevice, rememberDevice } from '../devices.ts';
import { askAboutPassword } from '../hooks/verification-attempts.ts';
import { presentSession } from '../present/present-session.ts';
import { findClaimedPassword, type Receiver } from '../stores/one-time-tokens.ts';
import { type Device, openSession } from '../stores/sessions.ts';
import { findUser, type UserRow } from '../stores/users.ts';
import { requirePhones } from '../texts/text-code.ts';
import { isBanned } from '../user-state.ts';

const BODY = v.object({ email: text, phone: text, password: text });

/** POST /token?grant_type=password. The same answer, after the same work, for an unknown address or number and a wrong password. */
export const grantByPassword: Operation = async (context, request) => {
  const body = readBody(BODY, request.body);
  if (body.email !== '' && body.phone !== '')
    throw new AuthError('validation_failed', {
      message: 'Only an email address or phone number should be provided on login.',
    });
  const receiver = readReceiver(context, body);
  const name = 'phone' in receiver ? receiver.phone : receiver.email;
  if (name === '') throw new AuthError('validation_failed', { message: 'missing email or phone' });

  const device = findKnownDevice(context, request, name);
  await context.limits.countPasswordAttempt(name, device);
  const { user, newHash } = await checkPassword(context, request, receiver, body.password);
  await context.limits.forgetPasswordAttempts(name, device);
  // Checked after the password: whoever does not know it learns nothing about the account.
  if (isBanned(user, context.now())) throw new AuthError('user_banned', { status: 400 });
  if (!isProven(user, receiver))
    throw new AuthError('phone' in receiver ? 'phone_not_confirmed' : 'email_not_confirmed');
  return {
    body: await signIn(context, user, newHash, deviceOf(request)),
    headers: await rememberDevice(context, request, name),
  };
};

function readReceiver(context: AuthContext, { email, phone }: { email: string; phone: string }): Receiver {
  if (phone === '') return { email: normalizeEmail(email) };
  requirePhones(context, 'Phone logins are disabled');
  return { phone: normalizePhone(phone) };
}

function isProven(user: UserRow, receiver: Receiver): boolean {
  return ('phone' in receiver ? user.phone_confirmed_at : user.email_confirmed_at) !== null;
}

/** The same queries and the same hashing for every address and number; what is left of a difference, the step of a refusal hides. */
async function checkPassword(
  context: AuthContext,
  request: AuthRequest,
  receiver: Receiver,
  password: string,
): Promise<{ user: UserRow; newHash: string | undefined }> {
  const { db, passwords, settings } = context;
  const start = performance.now();
  // Of no one moment: no connection is kept from others between them.
  const statements: Transaction = { query: (statement) => queryAsAuthAdmin(db, statement) };
  const user = await findUser(statements, receiver);
  const claimed = await findClaimedPassword(statements, receiver);
  // An unconfirmed account has no password yet: that of its sign-up waits for the link or code, and earns the advice to use it.
  const isClaim = user && !isProven(user, receiver) && !user.encrypted_password;
  const check = await passwords.check(password, isClaim ? claimed : user?.encrypted_password);
  if (user) await askAboutPassword(context, request, { userId: user.id, valid: check.matches });
  if (!user || !check.matches) {
    await waitForStep(start, settings.answerStepMs);
    throw new AuthError('invalid_credentials');
  }
  return { user, newHash: check.outdated ? await passwords.hash(password) : undefined };
}

async function signIn(context: AuthContext, user: UserRow, newHash: string | undefined, device: Device) {
  const now = context.now();
  const signedIn = await asAuthAdmin(context.db, 'sign in: open session', async (tx) => {
    // The hash that was checked must still be the account's: a password changed meanwhile opens no session.
    const { rowCount } = await tx.query({
      name: 'auth_keep_or_renew_hash',
      text: `update auth.users set encrypted_password = coalesce($3, encrypted_password)
        where id = $1 and encrypted_password = $2`,
      values: [user.id, user.encrypted_password, newHash ?? null],
    });
    if (rowCount === 0) throw new AuthError('invalid_credentials');
    const opened = await openSession(tx, { userId: user.id, method: 'password', device }, now);
    return { opened, user: await findUser(tx, { id: user.id }) };
  });
  return presentSession(context, signedIn.user ?? user, signedIn.opened);
}
