import { asAuthAdmin } from '../../../kernel/database.ts';
import {
  applyVerification,
  HALF_CONFIRMED_MESSAGE,
  tokensOfType,
  type WantedVerification,
} from '../apply-verification.ts';
import type { Answer, AuthContext, AuthRequest, Operation } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { deviceOf, rememberDevice } from '../devices.ts';
import { isChallengedToken } from '../mailed-secrets.ts';
import { type Notice, notifyChange } from '../notices/notify-change.ts';
import {
  redirectWithCode,
  redirectWithError,
  redirectWithMessage,
  redirectWithSession,
} from '../present/present-redirect.ts';
import { presentSession } from '../present/present-session.ts';
import { resolveRedirect } from '../resolve-redirect.ts';
import { releaseAuthCode } from '../stores/flows.ts';
import { type Device, type OpenedSession, openSession } from '../stores/sessions.ts';
import type { UserRow } from '../stores/users.ts';

const LINK_EXPIRED = 'Email link is invalid or has expired';

/**
 * GET /verify: what a mail's button opens. Ends in a redirect to the application, with a session (implicit flow), with a
 * code (the token then begins with `pkce_`) or with an error.
 */
export const verifyLink: Operation = async (context, request) => {
  const { token = '', type = '' } = request.query;
  if (token === '')
    throw new AuthError('validation_failed', { message: 'Verify requires a token or a token hash' });
  const types = tokensOfType(type);
  const to = resolveRedirect(context.settings, request);
  const challenged = isChallengedToken(token);
  await context.limits.countVerification(request.ip);
  try {
    const answer = await follow(context, request, {
      token,
      type,
      types,
      to,
      challenged,
      device: deviceOf(request),
    });
    await context.limits.forgiveVerification(request.ip);
    return answer;
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    return redirectWithError(to, error, challenged);
  }
};

type Link = {
  readonly token: string;
  readonly type: string;
  readonly types: WantedVerification['types'];
  readonly to: string;
  readonly challenged: boolean;
  readonly device: Device;
};

type Outcome =
  | { readonly kind: 'half' }
  | { readonly kind: 'unknown' }
  | (Proven & { readonly kind: 'code'; readonly code: string })
  | (Proven & { readonly kind: 'session'; readonly opened: OpenedSession });

type Proven = { readonly user: UserRow; readonly change: Notice | undefined };

async function follow(context: AuthContext, request: AuthRequest, link: Link): Promise<Answer> {
  const outcome = await redeem(context, link);
  if (outcome.kind === 'unknown') throw new AuthError('otp_expired', { message: LINK_EXPIRED });
  if (outcome.kind === 'half') return redirectWithMessage(link.to, HALF_CONFIRMED_MESSAGE, link.challenged);
  if (outcome.change) notifyChange(context, outcome.change);
  // The mail did its work: were the same address to sign up again, it would not have to wait.
  await context.limits.allowMail('confirmation', outcome.user.email ?? '');
  if (outcome.kind === 'code') return redirectWithCode(link.to, outcome.code);
  const session = await presentSession(context, outcome.user, outcome.opened);
  const answer = redirectWithSession(link.to, session, { type: link.type });
  const device = await rememberDevice(context, request, outcome.user.email);
  return { ...answer, headers: { ...answer.headers, ...device } };
}

function redeem({ db, settings, now }: AuthContext, link: Link): Promise<Outcome> {
  return asAuthAdmin(db, 'verify a mailed link', async (tx) => {
    const at = now();
    const wanted = { proof: { link: link.token }, types: link.types };
    const verified = await applyVerification(tx, settings, { ...wanted, ip: link.device.ip }, at);
    if (verified.kind !== 'proven') return verified;
    const { user, flowId, change } = verified;
    if (!link.challenged) {
      const opened = await openSession(tx, { userId: user.id, method: 'otp', device: link.device }, at);
      return { kind: 'session', user, opened, change };
    }
    const code = flowId && (await releaseAuthCode(tx, { userId: user.id, flowId }, at));
    if (code === undefined) throw new AuthError('flow_state_not_found', { status: 400 });
    return { kind: 'code', code, user, change };
  });
}
