import { asAuthAdmin } from '../../../kernel/database.ts';
import type { Operation } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { authenticate } from '../authenticate.ts';
import { mailToken } from '../mail-token.ts';
import { issueMailedToken } from '../stores/issue-mailed-token.ts';
import { withMailAllowance } from '../with-mail-allowance.ts';

/** GET /reauthenticate: mails a code that a later change of password may ask for. */
export const reauthenticate: Operation = async (context, request) => {
  const { user } = await authenticate(context, request);
  const email = user.email ?? '';
  if (email === '')
    throw new AuthError('validation_failed', {
      message: 'Reauthentication requires the user to have an email or a phone number',
    });
  if (!user.email_confirmed_at)
    throw new AuthError('validation_failed', { message: 'Please verify your email first.' });
  await withMailAllowance(context, request, { kind: 'reauthentication', to: [email] }, async (giveBack) => {
    const token = await asAuthAdmin(context.db, 'issue a reauthentication code', (tx) =>
      issueMailedToken(tx, { userId: user.id, type: 'reauthentication_token', email }, context.now()),
    );
    // The letter shows the code only: no link leads to a reauthentication.
    const mail = {
      letter: 'reauthenticate',
      link: 'magiclink',
      redirectTo: context.settings.siteUrl,
    } as const;
    await mailToken(context, { ...mail, to: email, token, giveBack });
  });
  return { body: {} };
};
