import { waitForStep } from './answer-step.ts';
import type { AuthContext, AuthRequest } from './auth-context.ts';
import { isOperator } from './authenticate.ts';
import type { MailKind } from './rate-limits.ts';

/** Called when a mail did not leave: what was counted for the request is given back, once. */
export type GiveBack = () => Promise<void>;

/**
 * Does something that mails to addresses, at most once in a while and so often a day. Asking is what counts, not having an account:
 * an unknown address is refused just as soon. Nothing counts when it fails. Operators may mail as often as they like.
 *
 * The answer leaves at a multiple of `answerStepMs` after it was asked for: how much there was to do must not tell who has an account.
 * @throws over_email_send_rate_limit
 */
export async function withMailAllowance<T>(
  context: AuthContext,
  request: AuthRequest,
  { kind, to }: { readonly kind: MailKind; readonly to: readonly string[] },
  run: (giveBack: GiveBack) => Promise<T>,
): Promise<T> {
  const { limits, settings } = context;
  const trusted = isOperator(context, request);
  const orders = trusted ? [] : to.map((email) => ({ kind, email, ip: request.ip }));
  await limits.takeMails(orders);
  let given: Promise<void> | undefined;
  const giveBack = () => (given ??= limits.giveMailsBack(orders));
  const start = performance.now();
  try {
    return await run(giveBack);
  } catch (error) {
    await giveBack();
    throw error;
  } finally {
    if (!trusted) await waitForStep(start, settings.answerStepMs);
  }
}
