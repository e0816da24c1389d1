import * as v from 'valibot';
import { asAuthAdmin } from '../../../kernel/database.ts';
import type { AuthContext, AuthRequest, Operation } from '../auth-context.ts';
import { challengeFields, readBody, readEmail, text } from '../body-fields.ts';
import { type CodeChallenge, readChallenge } from '../code-challenge.ts';
import { withMailAllowance } from '../mail-allowance.ts';
import { mailToken } from '../mail-token.ts';
import { resolveRedirect } from '../resolve-redirect.ts';
import { recordAct } from '../stores/audit-log.ts';
import { startFlow } from '../stores/flows.ts';
import { issueMailedToken, type MailedToken } from '../stores/one-time-tokens.ts';
import { findUser, type UserRow } from '../stores/users.ts';

const BODY = v.object({ email: text, ...challengeFields });

/** POST /recover: mails a link for choosing a new password. Always `{}`: the answer must not reveal who has an account. */
export const recover: Operation = async (context, request) => {
  const body = readBody(BODY, request.body);
  const email = readEmail(body.email);
  const challenge = readChallenge(body);
  await withMailAllowance(context, request, { kind: 'recovery', to: [email] }, async (giveBack) => {
    const issued = await issueRecoveryToken(context, request, email, challenge);
    if (issued === undefined) return context.mailSender.pretend();
    const redirectTo = resolveRedirect(context.settings, request);
    const mail = { template: 'reset_password', to: email, link: 'recovery', redirectTo, giveBack } as const;
    return mailToken(context, { ...mail, ...issued });
  });
  return { body: {} };
};

function issueRecoveryToken(
  { db, settings, now }: AuthContext,
  request: AuthRequest,
  email: string,
  challenge: CodeChallenge | undefined,
): Promise<{ token: MailedToken; user: UserRow } | undefined> {
  return asAuthAdmin(db, 'ask for a new password', async (tx) => {
    const user = await findUser(tx, { email }, { lock: true });
    if (!user || user.deleted_at) return undefined;
    const method = 'recovery';
    const flowId = challenge && (await startFlow(tx, { userId: user.id, method, challenge }, now()));
    const order = { userId: user.id, type: 'recovery_token', email, flowId } as const;
    const token = await issueMailedToken(tx, { ...order, codeLength: settings.codeLength }, now());
    await recordAct(tx, request, { action: 'user_recovery_requested', actor: user.id }, now());
    return { token, user };
  });
}
