import type { Transaction } from '../../kernel/database.ts';
import { AuthError } from './auth-error.ts';
import type { AuthSettings } from './auth-settings.ts';
import type { Notice } from './notices/notify-change.ts';
import { type Act, recordAct } from './stores/audit-log.ts';
import { changeEmail, confirmEmail, forgetUnprovenOwner } from './stores/credentials.ts';
import { insertEmailIdentity } from './stores/identities.ts';
import {
  type Claim,
  type MailedTokenType,
  type Proof,
  type TakenToken,
  takeMailedToken,
} from './stores/one-time-tokens.ts';
import { changePhone, confirmPhone } from './stores/phones.ts';
import { deleteUser, findUser, type UserRow } from './stores/users.ts';
import { isBanned, isEnteredUnproven, isMereClaim } from './user-state.ts';

/** Which tokens a request of a type may use (protocol note, sections 1.3 and 1.4). */
const TOKENS_OF_TYPE: ReadonlyMap<string, readonly MailedTokenType[]> = new Map([
  ['signup', ['confirmation_token']],
  ['invite', ['confirmation_token']],
  ['recovery', ['recovery_token']],
  ['magiclink', ['recovery_token']],
  ['email', ['confirmation_token', 'recovery_token']],
  ['email_change', ['email_change_token_new', 'email_change_token_current']],
]);

/** The same for codes that came as a text message. */
const TOKENS_OF_PHONE_TYPE: ReadonlyMap<string, readonly MailedTokenType[]> = new Map([
  ['sms', ['confirmation_token', 'recovery_token']],
  ['phone_change', ['phone_change_token']],
]);

export const HALF_CONFIRMED_MESSAGE =
  'Confirmation link accepted. Please proceed to confirm link sent to the other email';

export type Verification =
  | {
      readonly kind: 'proven';
      readonly user: UserRow;
      readonly flowId: string | undefined;
      /** The account's address or number is another one now. */
      readonly change: Notice | undefined;
    }
  /** One of the two addresses of a change has agreed; the other is still asked. */
  | { readonly kind: 'half' }
  /** There is no such token (any more). Not thrown: the attempt has been counted, and a rollback would forget it. */
  | { readonly kind: 'unknown' };

/** @throws validation_failed for a type that no mail of ours has. */
export function tokensOfType(type: string): readonly MailedTokenType[] {
  const types = TOKENS_OF_TYPE.get(type);
  if (!types) throw new AuthError('validation_failed', { message: 'Verify requires a verification type' });
  return types;
}

export function isPhoneType(type: string): boolean {
  return TOKENS_OF_PHONE_TYPE.has(type);
}

/** @throws validation_failed for a type that no text message of ours has. */
export function tokensOfPhoneType(type: string): readonly MailedTokenType[] {
  const types = TOKENS_OF_PHONE_TYPE.get(type);
  if (!types) throw new AuthError('validation_failed', { message: 'Invalid sms verification type' });
  return types;
}

/** What was followed or typed, and which kinds of tokens it may be. */
export type WantedVerification = { readonly proof: Proof; readonly types: readonly MailedTokenType[] };

/** The account is not confirmed in either way before it is in one. */
function describeAct(before: UserRow): Act['action'] {
  if (before.email_confirmed_at || before.phone_confirmed_at) return 'user_modified';
  return before.invited_at ? 'invite_accepted' : 'user_signedup';
}

/**
 * Uses a one-time token up and does what it stands for. The transaction makes both happen or neither.
 * @throws otp_expired, user_banned, email_exists, phone_exists
 */
export async function applyVerification(
  tx: Transaction,
  settings: AuthSettings,
  wanted: WantedVerification & { readonly ip: string },
  now: Date,
): Promise<Verification> {
  const byPhone = 'phone' in wanted.proof;
  const lifetime = byPhone ? settings.smsCodeLifetime : settings.mailedTokenLifetime;
  const taken = await takeMailedToken(tx, wanted, lifetime, now);
  const user = taken && (await findUser(tx, { id: taken.userId }));
  if (!taken || !user) return { kind: 'unknown' };
  if (isBanned(user, now)) throw new AuthError('user_banned');

  const proven = byPhone
    ? await effectOfText(tx, taken, user, now)
    : await effectOf(tx, settings, taken, user, now);
  if (!proven) return { kind: 'half' };
  const changed = await findUser(tx, { id: user.id });
  if (!changed) throw new AuthError('user_not_found');
  const change = describeChange(user, changed);
  const isFirst = !user.email_confirmed_at && !user.phone_confirmed_at;
  if (isFirst || change) await recordAct(tx, wanted, { action: describeAct(user), actor: user.id }, now);
  return { kind: 'proven', user: changed, flowId: taken.flowId, change };
}

function describeChange(before: UserRow, user: UserRow): Notice | undefined {
  if (before.email !== null && before.email_confirmed_at && before.email !== user.email)
    return { kind: 'email_changed', user, oldEmail: before.email };
  if (user.phone !== null && before.phone !== user.phone)
    return { kind: 'phone_changed', user, phone: user.phone, oldPhone: before.phone ?? '' };
  return undefined;
}

async function effectOf(
  tx: Transaction,
  settings: AuthSettings,
  taken: TakenToken,
  user: UserRow,
  now: Date,
): Promise<boolean> {
  if (taken.type === 'confirmation_token') {
    // A claim is worth something only until somebody has proven the address, by whatever way.
    await proveAddress(tx, { user, taken, effect: { claim: taken.claim } }, now);
    return true;
  }
  if (taken.type === 'recovery_token') {
    // Nobody proved the address when the password was set: whoever holds the mailbox now starts without it.
    await proveAddress(tx, { user, taken, effect: { dropPassword: true } }, now);
    return true;
  }
  return agreeToEmailChange(tx, settings, { user, type: taken.type }, now);
}

/** Whoever was in the account until now had not shown that the address is theirs: it goes to who has. */
async function proveAddress(
  tx: Transaction,
  { user, taken, effect }: { readonly user: UserRow; readonly taken: TakenToken; readonly effect: Effect },
  now: Date,
): Promise<void> {
  const { id: userId, email } = user;
  if (user.email_confirmed_at) return;
  if (email === null || !isEnteredUnproven(user)) return confirmEmail(tx, userId, now, settle(user, effect));
  await forgetUnprovenOwner(tx, user, { keepFlow: taken.flowId }, now);
  await insertEmailIdentity(tx, { userId, email }, now);
  await confirmEmail(tx, userId, now, effect);
}

/** The same for a number. */
async function effectOfText(tx: Transaction, taken: TakenToken, user: UserRow, now: Date): Promise<true> {
  if (taken.type === 'phone_change_token') {
    await agreeToPhoneChange(tx, user, now);
    return true;
  }
  const { phone } = user;
  // Codes of a number that the account has no longer went with it.
  if (phone === null) throw new AuthError('otp_expired');
  if (!user.phone_confirmed_at)
    await confirmPhone(tx, { userId: user.id, phone }, now, settle(user, { claim: taken.claim }));
  return true;
}

type Effect = { readonly claim?: Claim; readonly dropPassword?: boolean };

/** Of an account that somebody has proven in another way, a further proof changes nothing but that it is there. */
function settle(user: UserRow, effect: Effect): Effect {
  return user.email_confirmed_at || user.phone_confirmed_at ? {} : effect;
}

async function agreeToPhoneChange(tx: Transaction, user: UserRow, now: Date): Promise<void> {
  const phone = user.phone_change ?? '';
  if (phone === '') throw new AuthError('otp_expired');
  const other = await findUser(tx, { phone }, { lock: true });
  if (other && other.id !== user.id) {
    if (!isMereClaim(other, now)) throw new AuthError('phone_exists');
    // Whoever holds the phone has just decided what its number is for.
    await deleteUser(tx, other.id);
  }
  await changePhone(tx, { userId: user.id, phone, proven: true }, now);
}

/** Which of the two addresses has agreed to a change, in `email_change_confirm_status`. GoTrue writes 1 for either. */
const CURRENT_AGREED = 1;
const NEW_AGREED = 2;

/** True when the change is made. An operator may make a second link for one address: it does not agree for the other. */
async function agreeToEmailChange(
  tx: Transaction,
  settings: AuthSettings,
  { user, type }: { readonly user: UserRow; readonly type: MailedTokenType },
  now: Date,
): Promise<boolean> {
  const email = user.email_change ?? '';
  if (email === '') throw new AuthError('otp_expired');
  const [own, other] =
    type === 'email_change_token_new' ? [NEW_AGREED, CURRENT_AGREED] : [CURRENT_AGREED, NEW_AGREED];
  if (settings.secureEmailChange && user.email !== null && user.email_change_confirm_status !== other) {
    await tx.query({
      name: 'auth_half_email_change',
      text: 'update auth.users set email_change_confirm_status = $3, updated_at = $2 where id = $1',
      values: [user.id, now, own],
    });
    return false;
  }
  const owner = await findUser(tx, { email }, { lock: true });
  if (owner && owner.id !== user.id) {
    if (!isMereClaim(owner, now)) throw new AuthError('email_exists');
    // Whoever holds the mailbox has just decided what its address is for.
    await deleteUser(tx, owner.id);
  }
  await changeEmail(tx, { userId: user.id, email, proven: true }, now);
  return true;
}
