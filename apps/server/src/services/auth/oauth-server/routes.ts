import type { Route } from '../routes.ts';
import {
  adminCreateClient,
  adminDeleteClient,
  adminGetClient,
  adminListClients,
  adminRegenerateSecret,
  adminUpdateClient,
} from './admin-clients.ts';
import { authorizeProgram } from './authorize.ts';
import { answerAuthorization, showAuthorization } from './consent.ts';
import { showMetadata } from './metadata.ts';
import { endOwnGrant, listOwnGrants } from './own-grants.ts';
import { registerClient } from './register-client.ts';
import { revokeToken } from './revoke.ts';
import { grantToProgram } from './token.ts';
import { showUserInfo } from './userinfo.ts';

const CLIENT = '/admin/oauth/clients/:client_id';

/** Every endpoint of the OAuth 2.1 server; none of them is there where it is switched off. */
export function listOAuthRoutes(): readonly Route[] {
  return [
    { method: 'GET', path: '/.well-known/oauth-authorization-server', operation: showMetadata },
    { method: 'GET', path: '/.well-known/openid-configuration', operation: showMetadata },
    { method: 'GET', path: '/oauth/authorize', operation: authorizeProgram, limit: 'oauth/authorize' },
    { method: 'GET', path: '/oauth/authorizations/:authorization_id', operation: showAuthorization },
    {
      method: 'POST',
      path: '/oauth/authorizations/:authorization_id/consent',
      operation: answerAuthorization,
    },
    { method: 'POST', path: '/oauth/token', operation: grantToProgram, limit: 'oauth/token' },
    { method: 'POST', path: '/oauth/revoke', operation: revokeToken, limit: 'oauth/token' },
    { method: 'GET', path: '/oauth/userinfo', operation: showUserInfo },
    { method: 'POST', path: '/oauth/userinfo', operation: showUserInfo },
    { method: 'POST', path: '/oauth/clients/register', operation: registerClient },
    { method: 'GET', path: '/user/oauth/grants', operation: listOwnGrants },
    { method: 'DELETE', path: '/user/oauth/grants', operation: endOwnGrant },
    { method: 'GET', path: '/admin/oauth/clients', operation: adminListClients },
    { method: 'POST', path: '/admin/oauth/clients', operation: adminCreateClient },
    { method: 'GET', path: CLIENT, operation: adminGetClient },
    { method: 'PUT', path: CLIENT, operation: adminUpdateClient },
    { method: 'DELETE', path: CLIENT, operation: adminDeleteClient },
    { method: 'POST', path: `${CLIENT}/regenerate_secret`, operation: adminRegenerateSecret },
  ];
}
