import { asAuthAdmin, type Transaction } from '../../../kernel/database.ts';
import { ADMIN_USER_BODY, type AdminUserBody, readPasswordHash, refusePhone } from '../admin-user-body.ts';
import type { Operation } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { requireOperator } from '../authenticate.ts';
import { readBody } from '../body-fields.ts';
import { isUuid } from '../is-uuid.ts';
import { presentUser } from '../present/present-user.ts';
import { readBanDuration } from '../read-ban-duration.ts';
import { readEmail } from '../read-email.ts';
import { banUser } from '../stores/ban-user.ts';
import { confirmEmail } from '../stores/confirm-email.ts';
import { findUser } from '../stores/find-user.ts';
import { insertUser } from '../stores/insert-user.ts';
import { judgeMetadata } from '../stores/merge-metadata.ts';
import type { UserRow } from '../stores/user-row.ts';

/** POST /admin/users: an operator makes an account; nothing is mailed. */
export const adminCreateUser: Operation = async (context, request) => {
  requireOperator(context, request);
  const body = readBody(ADMIN_USER_BODY, request.body);
  refusePhone(body);
  if (body.email === '')
    throw new AuthError('validation_failed', {
      message: 'Cannot create a user without either an email or phone',
    });
  if (body.id !== '' && !isUuid(body.id))
    throw new AuthError('validation_failed', { message: 'ID must conform to the uuid v4 format' });
  judgeMetadata(body.user_metadata ?? {});
  judgeMetadata(body.app_metadata ?? {});
  const email = readEmail(body.email);
  const bannedUntil = readBanDuration(body.ban_duration, context.now());
  const hash = await readPasswordHash(body, context.passwords, context.settings.passwordMinLength);
  const user = await asAuthAdmin(context.db, 'create an account', (tx) =>
    create(tx, { body, email, hash: hash ?? '', bannedUntil }, context.now()),
  );
  return { body: presentUser(user) };
};

type Creation = {
  readonly body: AdminUserBody;
  readonly email: string;
  readonly hash: string;
  readonly bannedUntil: Date | null | undefined;
};

async function create(
  tx: Transaction,
  { body, email, hash, bannedUntil }: Creation,
  now: Date,
): Promise<UserRow> {
  const account = {
    email,
    passwordHash: hash,
    userMetadata: body.user_metadata ?? {},
    appMetadata: body.app_metadata ?? {},
    ...(body.id === '' ? {} : { id: body.id }),
    ...(body.role === '' ? {} : { role: body.role }),
  };
  const id = await insertUser(tx, account, now);
  if (id === undefined) throw new AuthError('email_exists');
  if (body.email_confirm) await confirmEmail(tx, id, now);
  if (bannedUntil !== undefined) await banUser(tx, id, bannedUntil, now);
  const user = await findUser(tx, { id });
  if (!user) throw new AuthError('conflict');
  return user;
}
