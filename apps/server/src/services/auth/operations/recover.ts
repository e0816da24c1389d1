import * as v from 'valibot';
import { asAuthAdmin } from '../../../kernel/database.ts';
import type { AuthContext, Operation } from '../auth-context.ts';
import { challengeFields, readBody, text } from '../body-fields.ts';
import { mailToken } from '../mail-token.ts';
import { type CodeChallenge, readChallenge } from '../read-challenge.ts';
import { readEmail } from '../read-email.ts';
import { resolveRedirect } from '../resolve-redirect.ts';
import { findUser } from '../stores/find-user.ts';
import { issueMailedToken, type MailedToken } from '../stores/issue-mailed-token.ts';
import { startFlow } from '../stores/start-flow.ts';
import { withMailAllowance } from '../with-mail-allowance.ts';

const BODY = v.object({ email: text, ...challengeFields });

/** POST /recover: mails a link for choosing a new password. Always `{}`: the answer must not reveal who has an account. */
export const recover: Operation = async (context, request) => {
  const body = readBody(BODY, request.body);
  const email = readEmail(body.email);
  const challenge = readChallenge(body);
  await withMailAllowance(context, request, { kind: 'recovery', to: [email] }, async (giveBack) => {
    const token = await issueRecoveryToken(context, email, challenge);
    if (token === undefined) return context.postOffice.pretend();
    const redirectTo = resolveRedirect(context.settings, request);
    const mail = { letter: 'reset_password', to: email, link: 'recovery', redirectTo, giveBack } as const;
    return mailToken(context, { ...mail, token });
  });
  return { body: {} };
};

function issueRecoveryToken(
  { db, now }: AuthContext,
  email: string,
  challenge: CodeChallenge | undefined,
): Promise<MailedToken | undefined> {
  return asAuthAdmin(db, 'ask for a new password', async (tx) => {
    const user = await findUser(tx, { email }, { lock: true });
    if (!user || user.deleted_at) return undefined;
    const method = 'recovery';
    const flowId = challenge && (await startFlow(tx, { userId: user.id, method, challenge }, now()));
    return issueMailedToken(tx, { userId: user.id, type: 'recovery_token', email, flowId }, now());
  });
}
