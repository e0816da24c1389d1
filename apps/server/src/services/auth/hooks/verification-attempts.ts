import * as v from 'valibot';
import { asAuthAdmin } from '../../../kernel/database.ts';
import type { HookName } from '../../../kernel/settings.ts';
import type { AuthContext, AuthRequest } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { closeSessions, endBegunPhoneChange } from '../stores/sessions.ts';
import { callHook } from './call-hook.ts';

/** What a hook says of an attempt. (Source: GoTrue, `PasswordVerificationAttemptOutput`.) */
const VERDICT = v.object({
  decision: v.picklist(['continue', 'reject']),
  message: v.nullish(v.string(), ''),
  should_logout_user: v.nullish(v.boolean(), false),
});
type Verdict = v.InferOutput<typeof VERDICT>;

type Attempt = { readonly userId: string; readonly valid: boolean };

/**
 * Asks the operator's hook about a password that somebody typed for an account, where there is one. Call it for wrong ones, too.
 *
 * Whoever typed a wrong one is answered as without a hook, at once and in the same words: what it says, and how long it takes, would tell who has
 * an account. What it wants done to sessions is done all the same.
 * @throws invalid_credentials in the hook's words, for a right password that it does not accept; as `callHook`
 */
export async function askAboutPassword(
  context: AuthContext,
  request: Pick<AuthRequest, 'ip'>,
  attempt: Attempt,
): Promise<void> {
  if (!context.settings.hooks.password_verification_attempt) return;
  const ask = async () => {
    const { userId, valid } = attempt;
    const verdict = await askHook(context, 'password_verification_attempt', request, {
      user_id: userId,
      valid,
    });
    if (verdict.decision === 'reject' && verdict.should_logout_user) await signOut(context, userId);
    return verdict;
  };
  if (!attempt.valid) {
    context.background.run('the hook password_verification_attempt', async () => void (await ask()));
    return;
  }
  const { decision, message } = await ask();
  if (decision === 'reject')
    throw new AuthError('invalid_credentials', {
      message: message || 'Further password verification attempts will be rejected.',
    });
}

type FactorAttempt = Attempt & {
  readonly factorId: string;
  readonly factorType: 'totp' | 'phone' | 'webauthn' | 'recovery_code';
};

/**
 * Asks the operator's hook about a code that somebody typed for a second factor, where there is one. Call it for wrong ones, too, and before
 * anything is done about the attempt. A person whose attempt is rejected is signed out everywhere, as on the platform.
 * @throws mfa_verification_rejected in the hook's words; as `callHook`
 */
export async function askAboutFactor(
  context: Pick<AuthContext, 'db' | 'settings' | 'now' | 'logger'>,
  request: Pick<AuthRequest, 'ip'>,
  { userId, factorId, factorType, valid }: FactorAttempt,
): Promise<void> {
  if (!context.settings.hooks.mfa_verification_attempt) return;
  const { decision, message } = await askHook(context, 'mfa_verification_attempt', request, {
    user_id: userId,
    factor_id: factorId,
    factor_type: factorType,
    valid,
  });
  if (decision === 'continue') return;
  await signOut(context, userId);
  throw new AuthError('mfa_verification_rejected', message ? { message } : {});
}

async function askHook(
  context: Pick<AuthContext, 'db' | 'settings' | 'now' | 'logger'>,
  name: Extract<HookName, 'password_verification_attempt' | 'mfa_verification_attempt'>,
  { ip }: Pick<AuthRequest, 'ip'>,
  input: Readonly<Record<string, unknown>>,
): Promise<Verdict> {
  const hook = context.settings.hooks[name];
  if (!hook) throw new Error(`there is no hook ${name}`);
  const answer = v.safeParse(VERDICT, await callHook(context, name, hook, { input, ip }));
  if (!answer.success) throw new AuthError('unexpected_failure', { message: `Error running hook: ${name}` });
  return answer.output;
}

async function signOut({ db }: Pick<AuthContext, 'db'>, userId: string): Promise<void> {
  await asAuthAdmin(db, 'sign out whose attempt a hook rejects', (tx) =>
    closeSessions(tx, 'global', { userId, sessionId: undefined }),
  );
  await asAuthAdmin(db, 'end a change that was being begun', (tx) => endBegunPhoneChange(tx, userId));
}
