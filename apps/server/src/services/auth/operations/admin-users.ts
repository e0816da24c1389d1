import { isUuid } from '@linkoteca/domain/uuid';
import * as v from 'valibot';
import { asAuthAdmin, type Transaction } from '../../../kernel/database.ts';
import { ADMIN_USER_BODY, type AdminUserBody, readPasswordHash } from '../admin-user-body.ts';
import type { Operation } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { requireOperator } from '../authenticate.ts';
import { flag, readBanDuration, readBody, readEmail, readPhone } from '../body-fields.ts';
import { listNeighbours, readPage } from '../paging.ts';
import { presentUser } from '../present/present-user.ts';
import { recordOperatorAct } from '../stores/audit-log.ts';
import { changeEmail, changePassword, confirmEmail, retireUser } from '../stores/credentials.ts';
import { insertUser } from '../stores/identities.ts';
import { findPending } from '../stores/one-time-tokens.ts';
import { changePhone, confirmPhone } from '../stores/phones.ts';
import {
  AUDIENCE,
  banUser,
  deleteUser,
  findUser,
  listUsers,
  mergeMetadata,
  setRole,
  type UserRow,
  validateMetadata,
} from '../stores/users.ts';
import { loadUser } from '../user-state.ts';
import { validatePassword } from '../validate-password.ts';

/** The id of nobody, which `instance_id` also bears. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** POST /admin/users: an operator makes an account; nothing is mailed. */
export const adminCreateUser: Operation = async (context, request) => {
  requireOperator(context, request);
  const body = readBody(ADMIN_USER_BODY, request.body);
  if (body.email === '' && body.phone === '')
    throw new AuthError('validation_failed', {
      message: 'Cannot create a user without either an email or phone',
    });
  if (body.id !== '' && !isUuid(body.id))
    throw new AuthError('validation_failed', { message: 'ID must conform to the uuid v4 format' });
  if (body.id === NOBODY) throw new AuthError('validation_failed', { message: 'ID cannot be a nil uuid' });
  validateMetadata(body.user_metadata ?? {});
  validateMetadata(body.app_metadata ?? {});
  const email = body.email === '' ? null : readEmail(body.email);
  const phone = body.phone === '' ? null : readPhone(body.phone);
  const bannedUntil = readBanDuration(body.ban_duration, context.now());
  const hash = await readPasswordHash(body, context.passwords, context.settings);
  const user = await asAuthAdmin(context.db, 'create an account', async (tx) => {
    const made = await create(tx, { body, email, phone, hash: hash ?? '', bannedUntil }, context.now());
    await recordOperatorAct(tx, request, { action: 'user_signedup', user: made }, context.now());
    return made;
  });
  return { body: presentUser(user) };
};

type Creation = {
  readonly body: AdminUserBody;
  readonly email: string | null;
  readonly phone: string | null;
  readonly hash: string;
  readonly bannedUntil: Date | null | undefined;
};

async function create(
  tx: Transaction,
  { body, email, phone, hash, bannedUntil }: Creation,
  now: Date,
): Promise<UserRow> {
  const account = {
    email,
    phone,
    passwordHash: hash,
    userMetadata: body.user_metadata ?? {},
    appMetadata: body.app_metadata ?? {},
    ...(body.id === '' ? {} : { id: body.id }),
    ...(body.role === '' ? {} : { role: body.role }),
  };
  const id = await insertUser(tx, account, now);
  if (id === undefined) throw await findConflict(tx, phone);
  if (body.email_confirm && email !== null) await confirmEmail(tx, id, now);
  if (body.phone_confirm && phone !== null) await confirmPhone(tx, { userId: id, phone }, now);
  if (bannedUntil !== undefined) await banUser(tx, id, bannedUntil, now);
  const user = await findUser(tx, { id });
  if (!user) throw new AuthError('conflict');
  return user;
}

async function findConflict(tx: Transaction, phone: string | null): Promise<AuthError> {
  const isPhoneTaken = phone !== null && (await findUser(tx, { phone })) !== undefined;
  return new AuthError(isPhoneTaken ? 'phone_exists' : 'email_exists');
}

/** PUT /admin/users/{id}: what was sent is changed at once, without asking the account's owner. */
export const adminUpdateUser: Operation = async (context, request) => {
  requireOperator(context, request);
  const { id } = await loadUser(context, request);
  const body = readBody(ADMIN_USER_BODY, request.body);
  const email = body.email === '' ? undefined : readEmail(body.email);
  const phone = body.phone === '' ? undefined : readPhone(body.phone);
  const bannedUntil = readBanDuration(body.ban_duration, context.now());
  // At the making of an account an empty password is none; an account that is there is not left without one.
  if (body.password === '') validatePassword(body.password, context.settings);
  const hash = await readPasswordHash(body, context.passwords, context.settings);
  const user = await asAuthAdmin(context.db, 'change an account', async (tx) => {
    // Read once more under the lock: its owner may have changed it a moment ago.
    const known = await findUser(tx, { id }, { lock: true });
    if (!known) throw new AuthError('user_not_found');
    const changes = { known, body, email, phone, hash, bannedUntil };
    const changed = await applyChanges(tx, changes, context.now());
    await recordOperatorAct(tx, request, { action: 'user_modified', user: changed }, context.now());
    return changed;
  });
  return { body: presentUser(user) };
};

type Changes = {
  readonly known: UserRow;
  readonly body: AdminUserBody;
  readonly email: string | undefined;
  readonly phone: string | undefined;
  readonly hash: string | undefined;
  readonly bannedUntil: Date | null | undefined;
};

async function applyChanges(
  tx: Transaction,
  { known, body, email, phone, hash, bannedUntil }: Changes,
  now: Date,
): Promise<UserRow> {
  const { id } = known;
  if (email !== undefined && email !== known.email) {
    const owner = await findUser(tx, { email });
    if (owner && owner.id !== id) throw new AuthError('email_exists');
    await changeEmail(tx, { userId: id, email, proven: body.email_confirm }, now);
  }
  if (phone !== undefined && phone !== known.phone)
    await changePhone(tx, { userId: id, phone, proven: body.phone_confirm }, now);
  if (hash !== undefined)
    await changePassword(tx, { userId: id, passwordHash: hash, keepSession: undefined }, now);
  if (body.email_confirm && !known.email_confirmed_at) await confirm(tx, known, hash, now);
  const number = phone ?? known.phone;
  if (body.phone_confirm && !known.phone_confirmed_at && number !== null)
    await confirmPhone(tx, { userId: id, phone: number }, now);
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

const BODY = v.object({ should_soft_delete: flag });

/** DELETE /admin/users/{id}: the account and all that is its own; or, softly, only what tells who it was. */
export const adminDeleteUser: Operation = async (context, request) => {
  requireOperator(context, request);
  const user = await loadUser(context, request);
  const soft = request.body !== undefined && readBody(BODY, request.body).should_soft_delete;
  await asAuthAdmin(context.db, 'delete an account', async (tx) => {
    await (soft ? retireUser(tx, user.id, context.now()) : deleteUser(tx, user.id));
    await recordOperatorAct(tx, request, { action: 'user_deleted', user }, context.now());
  });
  return { body: {} };
};

/** GET /admin/users/{id} */
export const adminGetUser: Operation = async (context, request) => {
  requireOperator(context, request);
  return { body: presentUser(await loadUser(context, request)) };
};

/** GET /admin/users: a page of accounts, with the total and the neighbouring pages in headers. */
export const adminListUsers: Operation = async (context, request) => {
  requireOperator(context, request);
  const { page, perPage } = readPage(request);
  const { filter = '', sort = '' } = request.query;
  const { users, total } = await asAuthAdmin(context.db, 'list accounts', (tx) =>
    listUsers(tx, { filter, newestFirst: readSort(sort), limit: perPage, offset: (page - 1) * perPage }),
  );
  return {
    headers: {
      'x-total-count': String(total),
      link: listNeighbours('/admin/users', { page, perPage }, total),
    },
    body: { users: users.map(presentUser), aud: AUDIENCE },
  };
};

function readSort(sort: string): boolean {
  const [, direction = 'desc'] = /^created_at(?: (asc|desc))?$/.exec(sort) ?? [];
  if (sort !== '' && !sort.startsWith('created_at'))
    throw new AuthError('validation_failed', {
      message: `Bad Sort Parameters: bad field for sort '${sort}'`,
    });
  return direction === 'desc';
}
