import type { Operation } from '../auth-context.ts';
import { AuthError, OAuthError } from '../auth-error.ts';
import { grantByCode } from './grant-by-code.ts';
import { grantByIdToken } from './grant-by-id-token.ts';
import { grantByPassword } from './grant-by-password.ts';
import { grantByRefreshToken } from './grant-by-refresh-token.ts';

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
