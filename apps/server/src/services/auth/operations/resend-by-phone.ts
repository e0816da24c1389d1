import * as v from 'valibot';
import { asAuthAdmin } from '../../../kernel/database.ts';
import type { Answer, AuthContext, AuthRequest } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { isOperator } from '../authenticate.ts';
import { readBody, readPhone, text } from '../body-fields.ts';
import { withTextAllowance } from '../mail-allowance.ts';
import { recordAct } from '../stores/audit-log.ts';
import { findPending, issueMailedToken } from '../stores/one-time-tokens.ts';
import { findUser } from '../stores/users.ts';
import { chooseCode, readChannel, requirePhones, textCode } from '../texts/text-code.ts';
import { isMereClaim } from '../user-state.ts';

const BODY = v.object({ phone: text, channel: text });

/** POST /resend with a phone number: texts the code of a pending sign-up, or of a change of the account's number, again; `{}` when there is none. */
export async function resendByPhone(
  context: AuthContext,
  request: AuthRequest,
  type: 'sms' | 'phone_change',
): Promise<Answer> {
  requirePhones(context, 'Phone logins are disabled');
  const body = readBody(BODY, request.body);
  const channel = readChannel(body.channel);
  const order = { phone: readPhone(body.phone), channel };
  await (type === 'sms' ? resendCode(context, request, order) : resendChange(context, request, order));
  return { body: {} };
}

type Order = { readonly phone: string; readonly channel: 'sms' | 'whatsapp' };

function resendCode(context: AuthContext, request: AuthRequest, { phone, channel }: Order): Promise<void> {
  return withTextAllowance(context, request, { kind: 'confirmation', phone }, async (giveBack) => {
    const code = chooseCode(context.settings, phone, context.now());
    const user = await asAuthAdmin(context.db, 'resend a code', async (tx) => {
      const found = await findUser(tx, { phone }, { lock: true });
      if (!found || found.phone_confirmed_at || found.deleted_at) return undefined;
      const order = { userId: found.id, type: 'confirmation_token', phone, code } as const;
      const pending = await findPending(tx, { ...order, by: 'phone' });
      await issueMailedToken(tx, { ...order, ...(pending && { claim: pending.claim }) }, context.now());
      const act = {
        action: 'user_confirmation_requested',
        actor: found.id,
        traits: { provider: 'phone' },
      } as const;
      await recordAct(tx, request, act, context.now());
      const said = pending?.claim.userMetadata as Record<string, unknown> | undefined;
      return { ...found, raw_user_meta_data: said ?? {} };
    });
    if (user) await textCode(context, { user, phone, channel, code, giveBack });
    else context.textSender.pretend();
  });
}

/** By the account's current number, as the platform has it; the code goes to the new one. */
function resendChange(context: AuthContext, request: AuthRequest, { phone, channel }: Order): Promise<void> {
  return withTextAllowance(context, request, { kind: 'phone_change', phone }, async (giveBack) => {
    const asked = await asAuthAdmin(context.db, 'find a change of number', (tx) => findUser(tx, { phone }));
    const { phone_change: next } = asked ?? {};
    // Whoever asks must not learn from a refusal that there is a change, nor to where: that phone is spared in silence.
    if (!next || !(await mayText(context, request, next))) return context.textSender.pretend();
    const code = chooseCode(context.settings, next, context.now());
    const user = await asAuthAdmin(context.db, 'resend a change of number', async (tx) => {
      const found = await findUser(tx, { phone }, { lock: true });
      const owner = await findUser(tx, { phone: next });
      // Somebody else has the number by now, or had it all along.
      const isTaken = owner !== undefined && !isMereClaim(owner, context.now());
      if (found?.phone_change !== next || found.deleted_at || isTaken) return undefined;
      const order = { userId: found.id, type: 'phone_change_token', phone: next, code } as const;
      await issueMailedToken(tx, order, context.now());
      return found;
    });
    if (user) await textCode(context, { user, phone: next, channel, code, giveBack });
    else context.textSender.pretend();
  });
}

async function mayText(context: AuthContext, request: AuthRequest, phone: string): Promise<boolean> {
  if (isOperator(context, request)) return true;
  try {
    await context.limits.takeText({ kind: 'phone_change', phone, ip: request.ip });
    return true;
  } catch (error) {
    if (error instanceof AuthError) return false;
    throw error;
  }
}
