import { asAuthAdmin } from '../../../kernel/database.ts';
import type { Answer, AuthContext, AuthRequest } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { deviceOf } from '../devices.ts';
import { tellUserCreated } from '../hooks/after-user-created.ts';
import { presentSession } from '../present/present-session.ts';
import { recordAct } from '../stores/audit-log.ts';
import { confirmEmail } from '../stores/credentials.ts';
import { insertUser } from '../stores/identities.ts';
import { confirmPhone } from '../stores/phones.ts';
import { openSession } from '../stores/sessions.ts';
import { findUser } from '../stores/users.ts';
import { findMereClaim } from '../user-state.ts';

/** Opens an account and a session where addresses, or numbers, are taken on trust. @throws user_already_exists */
export async function signUpAtOnce(
  context: AuthContext,
  request: AuthRequest,
  {
    id,
    by,
    data,
    password,
  }: {
    /** Of the account, if one is opened. */
    readonly id: string;
    readonly by: { readonly email: string } | { readonly phone: string };
    readonly data: Record<string, unknown>;
    readonly password: string;
  },
): Promise<Answer> {
  const passwordHash = await context.passwords.hash(password);
  const now = context.now();
  const signedUp = await asAuthAdmin(context.db, 'sign up without confirmation', async (tx) => {
    const added = await insertUser(tx, { id, ...by, passwordHash, userMetadata: data }, now);
    const userId = added ?? (await findMereClaim(tx, by, now));
    const claim = added ? {} : { claim: { passwordHash, userMetadata: data } };
    await ('phone' in by
      ? confirmPhone(tx, { userId, phone: by.phone }, now, claim)
      : confirmEmail(tx, userId, now, claim));
    const provider = 'phone' in by ? 'phone' : 'email';
    await recordAct(tx, request, { action: 'user_signedup', actor: userId, traits: { provider } }, now);
    const opened = await openSession(tx, { userId, method: 'password', device: deviceOf(request) }, now);
    const user = await findUser(tx, { id: userId });
    return user && { user, opened, isNew: added !== undefined };
  });
  if (!signedUp) throw new AuthError('user_not_found');
  if (signedUp.isNew) tellUserCreated(context, request, signedUp.user);
  return { body: await presentSession(context, signedUp.user, signedUp.opened) };
}
