import { asAuthAdmin, type Transaction } from '../../../kernel/database.ts';
import { ADMIN_USER_BODY, type AdminUserBody, readPasswordHash, refusePhone } from '../admin-user-body.ts';
import type { Operation } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { requireOperator } from '../authenticate.ts';
import { readBody } from '../body-fields.ts';
import { loadUser } from '../load-user.ts';
import { presentUser } from '../present/present-user.ts';
import { readBanDuration } from '../read-ban-duration.ts';
import { readEmail } from '../read-email.ts';
import { banUser } from '../stores/ban-user.ts';
import { changeEmail } from '../stores/change-email.ts';
import { changePassword } from '../stores/change-password.ts';
import { confirmEmail } from '../stores/confirm-email.ts';
import { findPending } from '../stores/find-pending.ts';
import { findUser } from '../stores/find-user.ts';
import { mergeMetadata } from '../stores/merge-metadata.ts';
import { setRole } from '../stores/set-role.ts';
import type { UserRow } from '../stores/user-row.ts';

/** PUT /admin/users/{id}: what was sent is changed at once, without asking the account's owner. */
export const adminUpdateUser: Operation = async (context, request) => {
  requireOperator(context, request);
  const known = await loadUser(context, request);
  const body = readBody(ADMIN_USER_BODY, request.body);
  refusePhone(body);
  const email = body.email === '' ? undefined : readEmail(body.email);
  const bannedUntil = readBanDuration(body.ban_duration, context.now());
  const hash = await readPasswordHash(body, context.passwords, context.settings.passwordMinLength);
  const user = await asAuthAdmin(context.db, 'change an account', (tx) =>
    applyChanges(tx, { known, body, email, hash, bannedUntil }, context.now()),
  );
  return { body: presentUser(user) };
};

type Changes = {
  readonly known: UserRow;
  readonly body: AdminUserBody;
  readonly email: string | undefined;
  readonly hash: string | undefined;
  readonly bannedUntil: Date | null | undefined;
};

async function applyChanges(
  tx: Transaction,
  { known, body, email, hash, bannedUntil }: Changes,
  now: Date,
): Promise<UserRow> {
  const { id } = known;
  if (email !== undefined) {
    const owner = await findUser(tx, { email });
    if (owner && owner.id !== id) throw new AuthError('email_exists');
    await changeEmail(tx, { userId: id, email, proven: false }, now);
  }
  if (hash !== undefined)
    await changePassword(tx, { userId: id, passwordHash: hash, keepSession: undefined }, now);
  if (body.email_confirm && !known.email_confirmed_at) await confirm(tx, known, hash, now);
  if (body.role !== '') await setRole(tx, id, body.role, now);
  if (bannedUntil !== undefined) await banUser(tx, id, bannedUntil, now);
  for (const [column, data] of [
    ['raw_user_meta_data', body.user_metadata],
    ['raw_app_meta_data', body.app_metadata],
  ] as const)
    if (data) await mergeMetadata(tx, { userId: id, column, data }, now);
  const user = await findUser(tx, { id });
  if (!user) throw new AuthError('user_not_found');
  return user;
}

/** The operator vouches for the address: a sign-up that waits for its link takes effect, if it is the only one and no password is set. */
async function confirm(
  tx: Transaction,
  { id, encrypted_password: own }: UserRow,
  newHash: string | undefined,
  now: Date,
): Promise<void> {
  const pending = await findPending(tx, { userId: id, type: 'confirmation_token' });
  const hasPassword = Boolean(own) || newHash !== undefined;
  await confirmEmail(tx, id, now, { claim: hasPassword ? undefined : pending?.claim });
}
