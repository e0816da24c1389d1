import * as v from 'valibot';
import { asAuthAdmin } from '../../../kernel/database.ts';
import type { Operation } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { requireOperator } from '../authenticate.ts';
import { metadata, readBody, text } from '../body-fields.ts';
import { inviteUser } from '../invite-user.ts';
import { mailToken } from '../mail-token.ts';
import { presentUser } from '../present/present-user.ts';
import { readEmail } from '../read-email.ts';
import { resolveRedirect } from '../resolve-redirect.ts';
import { findUser } from '../stores/find-user.ts';

const BODY = v.object({ email: text, data: metadata });

/** POST /invite: an operator opens an account for somebody and mails the way in. */
export const invite: Operation = async (context, request) => {
  requireOperator(context, request);
  const { email: raw, data } = readBody(BODY, request.body);
  const email = readEmail(raw);
  const { token, user } = await asAuthAdmin(context.db, 'invite a person', async (tx) => {
    const invited = await inviteUser(tx, { email, data: data ?? {} }, context.now());
    return { token: invited.token, user: await findUser(tx, { id: invited.userId }) };
  });
  if (!user) throw new AuthError('user_not_found');
  await mailToken(context, {
    letter: 'invite',
    to: email,
    token,
    link: 'invite',
    redirectTo: resolveRedirect(context.settings, request),
    giveBack: async () => undefined,
  });
  return { body: presentUser(user) };
};
