import * as v from 'valibot';
import { asAuthAdmin } from '../../../kernel/database.ts';
import type { Operation } from '../auth-context.ts';
import { AuthError, OAuthError } from '../auth-error.ts';
import { readBody, text } from '../body-fields.ts';
import { deviceOf } from '../device-of.ts';
import { isBanned } from '../is-banned.ts';
import { rememberDevice } from '../known-device.ts';
import { presentSession } from '../present/present-session.ts';
import { matchesChallenge } from '../read-challenge.ts';
import { findUser } from '../stores/find-user.ts';
import { openSession } from '../stores/open-session.ts';
import { takeFlow } from '../stores/take-flow.ts';
import { grantByIdToken } from './grant-by-id-token.ts';
import { grantByPassword } from './grant-by-password.ts';
import { grantByRefreshToken } from './grant-by-refresh-token.ts';

const BODY = v.object({ auth_code: text, code_verifier: text });

/** POST /token?grant_type=pkce: the code of a followed link, with the secret of the browser that asked for it. */
const grantByCode: Operation = async (context, request) => {
  const body = readBody(BODY, request.body);
  if (body.auth_code === '' || body.code_verifier === '')
    throw new AuthError('validation_failed', {
      message: 'invalid request: both auth code and code verifier should be non-empty',
    });
  const now = context.now();
  const { user, opened, flow } = await asAuthAdmin(
    context.db,
    'exchange an authorisation code',
    async (tx) => {
      const flow = await takeFlow(tx, body.auth_code);
      if (!flow) throw new AuthError('flow_state_not_found');
      if (now.getTime() >= flow.issuedAt.getTime() + context.settings.authCodeLifetime * 1000)
        throw new AuthError('flow_state_expired');
      // A refusal rolls back, so a wrong verifier does not use the code up.
      if (!matchesChallenge(flow.challenge, body.code_verifier)) throw new AuthError('bad_code_verifier');
      const { userId, method, provider } = flow;
      const opening = { userId, method, provider, device: deviceOf(request) };
      const found = await findUser(tx, { id: flow.userId }, { lock: true });
      if (!found) throw new AuthError('flow_state_not_found');
      if (isBanned(found, now)) throw new AuthError('user_banned');
      const session = await openSession(tx, opening, now);
      return { user: (await findUser(tx, { id: flow.userId })) ?? found, opened: session, flow };
    },
  );
  const session = await presentSession(context, user, opened);
  const headers = await rememberDevice(context, request, user.email);
  return { headers, body: { ...session, ...flow.providerTokens } };
};

const GRANTS: Readonly<Record<string, Operation>> = {
  password: grantByPassword,
  refresh_token: grantByRefreshToken,
  pkce: grantByCode,
  id_token: grantByIdToken,
  web3: async () => {
    throw new AuthError('web3_provider_disabled');
  },
};

/** POST /token: the one door to a session, by `grant_type`. */
export const grantToken: Operation = async (context, request) => {
  const { grant_type: type = '' } = request.query;
  const grant = Object.hasOwn(GRANTS, type) ? GRANTS[type] : undefined;
  if (!grant) throw new OAuthError('unsupported_grant_type', 'unsupported_grant_type');
  return grant(context, request);
};
