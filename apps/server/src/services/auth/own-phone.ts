import { asAuthAdmin, type Transaction } from '../../kernel/database.ts';
import type { TextChannel } from '../../kernel/text-messages.ts';
import type { AuthContext, AuthRequest } from './auth-context.ts';
import type { AuthSettings } from './auth-settings.ts';
import { readPhone } from './body-fields.ts';
import type { GiveBack } from './mail-allowance.ts';
import { recordAct } from './stores/audit-log.ts';
import { issueMailedToken } from './stores/one-time-tokens.ts';
import { changePhone, startPhoneChange } from './stores/phones.ts';
import { findUser, type UserRow } from './stores/users.ts';
import { chooseCode, readChannel, requirePhones, textCode } from './texts/text-code.ts';
import { isMereClaim } from './user-state.ts';

/** The number that a person wants instead of the one that the account has, and the code that proves it. */
export type NewPhone = { readonly phone: string; readonly channel: TextChannel; readonly code: string };

/**
 * @returns undefined where nothing is to change. Whether somebody else has the number is not checked here: the answer would tell everybody.
 * @throws phone_provider_disabled, validation_failed
 */
export function readNewPhone(
  context: Pick<AuthContext, 'settings' | 'now'>,
  user: UserRow,
  body: { readonly phone: string; readonly channel: string },
): NewPhone | undefined {
  if (body.phone === '') return undefined;
  requirePhones(context, 'Phone logins are disabled');
  const phone = readPhone(body.phone);
  if (phone === user.phone) return undefined;
  return {
    phone,
    channel: readChannel(body.channel),
    code: chooseCode(context.settings, phone, context.now()),
  };
}

export type PhoneChange = NewPhone & {
  readonly user: UserRow;
  /** Somebody else has the number: nothing is sent to it. */
  readonly isTaken: boolean;
};

/**
 * Starts to change an account's number, or changes it where numbers are taken on trust.
 * @returns what is to be sent, where something is
 * @throws phone_exists where numbers are taken on trust
 */
export async function changeOwnPhone(
  tx: Transaction,
  { confirmPhone }: Pick<AuthSettings, 'confirmPhone'>,
  user: UserRow,
  wanted: NewPhone,
  now: Date,
): Promise<PhoneChange | undefined> {
  const { phone, code } = wanted;
  if (!confirmPhone) {
    // A second account with this number is refused by the database.
    await changePhone(tx, { userId: user.id, phone, proven: true }, now);
    return undefined;
  }
  await startPhoneChange(tx, { userId: user.id, phone }, now);
  await issueMailedToken(tx, { userId: user.id, type: 'phone_change_token', phone, code }, now);
  const owner = await findUser(tx, { phone });
  const isTaken = owner !== undefined && owner.id !== user.id && !isMereClaim(owner, now);
  return { ...wanted, user: { ...user, phone_change: phone }, isTaken };
}

/** Texts the code of a change. What the person sees is the same for a number that is taken. @throws sms_send_failed */
export async function textPhoneChange(
  context: AuthContext,
  { isTaken, ...change }: PhoneChange,
  giveBack: GiveBack,
): Promise<void> {
  if (isTaken) context.textSender.pretend();
  else await textCode(context, { ...change, giveBack });
}

/** Texts the code that a later change of password may ask for, to an account that has no address. @throws sms_send_failed */
export async function textReauthentication(
  context: AuthContext,
  request: AuthRequest,
  { user, phone }: { readonly user: UserRow; readonly phone: string },
  giveBack: GiveBack,
): Promise<void> {
  const { db, settings, now } = context;
  const code = chooseCode(settings, phone, now());
  await asAuthAdmin(db, 'issue a reauthentication code by phone', async (tx) => {
    await issueMailedToken(tx, { userId: user.id, type: 'reauthentication_token', phone, code }, now());
    await recordAct(tx, request, { action: 'user_reauthenticate_requested', actor: user.id }, now());
  });
  await textCode(context, { user, phone, channel: 'sms', code, giveBack });
}
