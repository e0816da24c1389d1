import { type Row, toPeople } from './row.ts';
import { ALL_SESSIONS, FLOW, LOG, SESSION } from './tables.ts';
import { createPkce } from './ways-in.ts';

const ALL = { person: '200', stranger: '200', visitor: '200', firstLevel: '200' } as const;
const GONE = { person: '204', stranger: '204', visitor: '204', firstLevel: '204' } as const;
/** In GoTrue's words for a change of password or address. */
const NOT_AT_FIRST_LEVEL = { firstLevel: '401 insufficient_aal' } as const;

/** What people do with their own accounts. */
export const ACCOUNT_ROWS: readonly Row[] = [
  { route: 'GET /user', answers: toPeople(ALL) },
  {
    route: 'PUT /user',
    what: 'another name',
    ask: () => ({ body: { data: { full_name: 'Outra' } } }),
    answers: toPeople(ALL),
    changes: { tables: ['auth.users', 'public.profiles', LOG] },
  },
  {
    route: 'PUT /user',
    what: 'another password',
    ask: () => ({ body: { password: 'outra senha boa' } }),
    answers: toPeople({ ...ALL, ...NOT_AT_FIRST_LEVEL, visitor: '422 validation_failed' }),
    changes: { tables: ['auth.users', 'auth.flow_state', 'auth.mailed_tokens', ...ALL_SESSIONS] },
  },
  {
    route: 'PUT /user',
    what: 'another address',
    ask: () => ({ body: { email: 'outra@exemplo.test' } }),
    answers: toPeople({ ...ALL, ...NOT_AT_FIRST_LEVEL }),
    changes: { tables: ['auth.users', 'auth.mailed_tokens', LOG] },
  },
  {
    route: 'PUT /user',
    what: 'what an operator alone says',
    ask: () => ({ body: { app_metadata: { role: 'admin' } } }),
    answers: toPeople({
      person: '403 not_admin',
      stranger: '403 not_admin',
      visitor: '403 not_admin',
      firstLevel: '403 not_admin',
    }),
  },
  {
    route: 'GET /reauthenticate',
    answers: toPeople({ ...ALL, visitor: '400 validation_failed' }),
    changes: { tables: ['auth.users', 'auth.mailed_tokens', LOG] },
  },
  {
    route: 'POST /logout',
    answers: toPeople(GONE),
    changes: { tables: ALL_SESSIONS },
  },
  {
    route: 'POST /logout',
    what: 'others',
    ask: () => ({ query: { scope: 'others' } }),
    answers: toPeople(GONE),
    changes: { tables: ALL_SESSIONS },
  },
  {
    route: 'GET /user/identities/authorize',
    ask: () => ({ query: { provider: 'github', skip_http_redirect: 'true', ...createPkce().pkce } }),
    answers: toPeople({ ...ALL, firstLevel: '403 insufficient_aal' }),
    changes: { tables: FLOW },
  },
  {
    route: 'DELETE /user/identities/:identity_id',
    ask: ({ waysIn }) => ({ params: { identity_id: waysIn.githubIdentityId } }),
    answers: toPeople({
      person: '200',
      stranger: '422 identity_not_found',
      visitor: '422 single_identity_not_deletable',
      firstLevel: '403 insufficient_aal',
    }),
    changes: { tables: ['auth.identities', 'auth.users', LOG] },
  },
  { route: 'GET /user/tokens', answers: toPeople({ ...ALL, ...NOT_AT_FIRST_LEVEL }) },
  {
    route: 'POST /user/tokens',
    ask: () => ({ body: { name: 'Outro', scope: 'links:read', days: 30 } }),
    answers: toPeople({ person: '201', stranger: '201', visitor: '201', ...NOT_AT_FIRST_LEVEL }),
    changes: { tables: ['auth.personal_tokens', 'auth.sessions', LOG] },
  },
  {
    route: 'DELETE /user/tokens/:token_id',
    ask: ({ things }) => ({ params: { token_id: things.personal.id } }),
    answers: toPeople({
      person: '204',
      stranger: '404 not_found',
      visitor: '404 not_found',
      ...NOT_AT_FIRST_LEVEL,
    }),
    changes: { tables: ['auth.personal_tokens', 'auth.sessions', LOG] },
  },
  { route: 'GET /user/oauth/grants', answers: toPeople({ ...ALL, ...NOT_AT_FIRST_LEVEL }) },
  {
    route: 'DELETE /user/oauth/grants',
    ask: ({ programs }) => ({ query: { client_id: programs.anas } }),
    answers: toPeople({
      person: '204',
      stranger: '404 oauth_consent_not_found',
      visitor: '404 oauth_consent_not_found',
      ...NOT_AT_FIRST_LEVEL,
    }),
    changes: { tables: ['auth.oauth_authorizations', 'auth.oauth_consents', ...SESSION, LOG] },
  },
  {
    route: 'GET /oauth/authorizations/:authorization_id',
    ask: ({ programs }) => ({ params: { authorization_id: programs.authorizationId } }),
    answers: toPeople({
      person: '200',
      stranger: '404 oauth_authorization_not_found',
      visitor: '404 oauth_authorization_not_found',
      ...NOT_AT_FIRST_LEVEL,
    }),
  },
  {
    route: 'GET /oauth/authorizations/:authorization_id',
    what: 'one that nobody has looked at',
    ask: ({ programs }) => ({ params: { authorization_id: programs.unseenId } }),
    answers: toPeople({ ...ALL, ...NOT_AT_FIRST_LEVEL }),
    changes: { tables: ['auth.oauth_authorizations'] },
  },
  {
    route: 'POST /oauth/authorizations/:authorization_id/consent',
    what: 'without having looked',
    ask: ({ programs }) => ({
      params: { authorization_id: programs.unseenId },
      body: { action: 'approve' },
    }),
    answers: toPeople({
      person: '404 oauth_authorization_not_found',
      stranger: '404 oauth_authorization_not_found',
      visitor: '404 oauth_authorization_not_found',
      ...NOT_AT_FIRST_LEVEL,
    }),
  },
  {
    route: 'POST /oauth/authorizations/:authorization_id/consent',
    ask: ({ programs }) => ({
      params: { authorization_id: programs.authorizationId },
      body: { action: 'approve' },
    }),
    answers: toPeople({
      person: '200',
      stranger: '404 oauth_authorization_not_found',
      visitor: '404 oauth_authorization_not_found',
      ...NOT_AT_FIRST_LEVEL,
    }),
    changes: { tables: ['auth.oauth_authorizations', 'auth.oauth_consents'] },
  },
];
