import { waitForStep } from './answer-step.ts';
import type { AuthContext, AuthRequest } from './auth-context.ts';
import { isOperator } from './authenticate.ts';
import type { MailKind, TextOrder } from './rate-limits.ts';

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
  const { limits } = context;
  const orders = to.map((email) => ({ kind, email, ip: request.ip }));
  const count = { take: () => limits.takeMails(orders), giveBack: () => limits.giveMailsBack(orders) };
  return withAllowance(context, request, count, run);
}

/**
 * The same for a text message to one number.
 * @throws over_sms_send_rate_limit
 */
export async function withTextAllowance<T>(
  context: AuthContext,
  request: AuthRequest,
  wanted: Omit<TextOrder, 'ip'>,
  run: (giveBack: GiveBack) => Promise<T>,
): Promise<T> {
  const { limits } = context;
  const order = { ...wanted, ip: request.ip };
  const count = { take: () => limits.takeText(order), giveBack: () => limits.giveTextBack(order) };
  return withAllowance(context, request, count, run);
}

type Count = { take(): Promise<void>; giveBack(): Promise<void> };

async function withAllowance<T>(
  context: AuthContext,
  request: AuthRequest,
  count: Count,
  run: (giveBack: GiveBack) => Promise<T>,
): Promise<T> {
  const trusted = isOperator(context, request);
  if (!trusted) await count.take();
  let given: Promise<void> | undefined;
  const giveBack = () => (given ??= trusted ? Promise.resolve() : count.giveBack());
  const start = performance.now();
  try {
    return await run(giveBack);
  } catch (error) {
    await giveBack();
    throw error;
  } finally {
    if (!trusted) await waitForStep(start, context.settings.answerStepMs);
  }
}
