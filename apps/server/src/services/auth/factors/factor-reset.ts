import * as v from 'valibot';
import { asAuthAdmin, type Transaction } from '../../../kernel/database.ts';
import type { AuthContext, Operation } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { readBody, text } from '../body-fields.ts';
import { withMailAllowance } from '../mail-allowance.ts';
import { composeMail } from '../mail-templates.ts';
import { recordAct } from '../stores/audit-log.ts';
import {
  deleteFactorReset,
  type FactorReset,
  findFactorReset,
  insertFactorReset,
} from '../stores/factor-resets.ts';
import { deleteFactor } from '../stores/factors.ts';
import { takeMailedToken } from '../stores/one-time-tokens.ts';
import { findUser, type UserRow } from '../stores/users.ts';
import { hasSecondFactor } from './assurance.ts';
import { authenticateOwner } from './find-own-factor.ts';

/** Once the wait is over, there is so long to finish: what somebody asked for long ago opens nothing later. */
const GRACE_SECONDS = 7 * 86_400;

/** GET /factors/reset: `{status: none | waiting | ready, ready_at?}`. Ours: GoTrue leaves a lost device to the operator. */
export const showFactorReset: Operation = async (context, request) => {
  const { user } = await authenticateOwner(context, request);
  const reset = await asAuthAdmin(context.db, 'find a reset of factors', (tx) =>
    findStanding(tx, context, user.id),
  );
  return { body: present(reset, context.now()) };
};

/**
 * POST /factors/reset: whoever knows the password, and has nothing left to prove themselves with, asks for the factors to be taken away. The
 * wait begins, and the account's address is told; asked again, it says the same.
 */
export const askFactorReset: Operation = async (context, request) => {
  const { user } = await authenticateOwner(context, request);
  const { email } = user;
  requireResettable(context, user);
  if (!email) throw new AuthError('validation_failed', { message: 'Resetting factors requires an email' });
  const standing = await asAuthAdmin(context.db, 'find a reset of factors', (tx) =>
    findStanding(tx, context, user.id),
  );
  if (standing) return { body: present(standing, context.now()) };
  return withMailAllowance(context, request, { kind: 'factor_reset', to: [email] }, async (giveBack) => {
    const askedAt = context.now();
    const reset = { askedAt, readyAt: new Date(askedAt.getTime() + context.settings.factorResetWait * 1000) };
    await asAuthAdmin(context.db, 'ask for a reset of factors', async (tx) => {
      await insertFactorReset(tx, user.id, reset);
      await recordAct(tx, request, { action: 'factor_reset_requested', actor: user.id }, askedAt);
    });
    // Nobody's wait goes on that its owner was not told of.
    const undo = async () => {
      await asAuthAdmin(context.db, 'take a reset of factors back', (tx) => deleteFactorReset(tx, user.id));
      await giveBack();
    };
    await context.mailSender.send(compose(context, 'factor_reset_asked', email), undo);
    return { body: present(reset, context.now()) };
  });
};

/** DELETE /factors/reset: the device is found, or it was somebody else who asked. */
export const cancelFactorReset: Operation = async (context, request) => {
  const { user } = await authenticateOwner(context, request);
  await asAuthAdmin(context.db, 'cancel a reset of factors', (tx) => deleteFactorReset(tx, user.id));
  return { body: { status: 'none' } };
};

const BODY = v.object({ nonce: text });

/**
 * POST /factors/reset/finish: after the wait, with a code that `/reauthenticate` has mailed, all factors go: whoever does it knows the password,
 * reads the mailbox, and nobody who has a factor has objected.
 */
export const finishFactorReset: Operation = async (context, request) => {
  const { user } = await authenticateOwner(context, request);
  const { nonce } = readBody(BODY, request.body);
  requireResettable(context, user);
  const email = user.email ?? '';
  if (nonce === '' || email === '')
    throw new AuthError('reauthentication_needed', {
      message: 'Resetting factors requires reauthentication',
    });
  const { settings, db, now } = context;
  const refusal = await asAuthAdmin(db, 'finish a reset of factors', async (tx) => {
    const owner = await findUser(tx, { id: user.id }, { lock: true });
    const reset = owner && (await findStanding(tx, context, user.id));
    if (!reset || reset.readyAt > now())
      return new AuthError('mfa_reset_not_ready', reset ? { retryAfter: secondsUntil(reset, now()) } : {});
    const wanted = { proof: { code: nonce, email }, types: ['reauthentication_token'] } as const;
    const taken = await takeMailedToken(tx, wanted, settings.mailedTokenLifetime, now());
    // Returned, not thrown: the attempt at the code counts.
    if (taken?.userId !== user.id) return new AuthError('reauthentication_not_valid');
    for (const { id, factor_type: type } of owner.factors) {
      await deleteFactor(tx, id, now());
      const traits = { factor_id: id, factor_type: type, by: 'factor_reset' };
      await recordAct(tx, request, { action: 'factor_unenrolled', actor: user.id, traits }, now());
    }
    await deleteFactorReset(tx, user.id);
    return undefined;
  });
  if (refusal) throw refusal;
  // It is done, whether or not its mail leaves: the log has the reason.
  const mail = compose(context, 'factors_removed', email);
  await context.mailSender.send(mail, async () => undefined).catch(() => undefined);
  return { body: {} };
};

function findStanding(
  tx: Transaction,
  { settings, now }: AuthContext,
  userId: string,
): Promise<FactorReset | undefined> {
  const lifetime = settings.factorResetWait + GRACE_SECONDS;
  return findFactorReset(tx, userId, new Date(now().getTime() - lifetime * 1000));
}

/** @throws mfa_factor_not_found; email_send_failed where mails are another's, who knows none of this: nobody would be told */
function requireResettable({ settings }: AuthContext, user: UserRow): void {
  if (!hasSecondFactor(user)) throw new AuthError('mfa_factor_not_found');
  if (settings.hooks.send_email)
    throw new AuthError('email_send_failed', {
      message: 'Resetting factors is not offered with a send_email hook',
    });
}

function present(reset: FactorReset | undefined, now: Date) {
  if (!reset) return { status: 'none' };
  return { status: reset.readyAt <= now ? 'ready' : 'waiting', ready_at: reset.readyAt.toISOString() };
}

function secondsUntil({ readyAt }: FactorReset, now: Date): number {
  return Math.ceil((readyAt.getTime() - now.getTime()) / 1000);
}

function compose({ settings }: AuthContext, template: 'factor_reset_asked' | 'factors_removed', to: string) {
  const facts = { link: `${settings.siteUrl}/login`, code: '', lifetime: settings.factorResetWait };
  return composeMail(template, facts, to);
}
