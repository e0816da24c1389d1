import type { AuthContext, AuthRequest } from './auth-context.ts';
import { isOperator } from './authenticate.ts';
import type { MailKind } from './create-rate-limits.ts';

export type MailAllowance = { readonly kind: MailKind; readonly email: string };

/**
 * Does something that mails to an address, at most once in a while. Asking is what counts, not having an account: an unknown
 * address is refused just as soon. Nothing counts when it fails. Operators may mail as often as they like.
 * @throws over_email_send_rate_limit
 */
export async function withMailAllowance<T>(
  context: AuthContext,
  request: AuthRequest,
  { kind, email }: MailAllowance,
  run: () => Promise<T>,
): Promise<T> {
  const { limits } = context;
  if (!isOperator(context, request)) await limits.takeMail(kind, email);
  try {
    return await run();
  } catch (error) {
    await limits.giveMailBack(kind, email);
    throw error;
  }
}
