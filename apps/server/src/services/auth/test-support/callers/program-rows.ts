import { CALLBACK } from '../let-programs-in.ts';
import { type Answers, type Row, toAnybody, toOperator } from './row.ts';
import { PEOPLE } from './scene.ts';
import { SESSION } from './tables.ts';
import { createPkce } from './ways-in.ts';

/** A program's token alone, and as much as it was given: in OAuth's words (RFC 6750). */
const TO_PROGRAMS: Answers = {
  ...toAnybody('401 invalid_token'),
  reader: '403 insufficient_scope',
  writer: '200',
};

/** What programs ask for: they prove themselves by what they send, not by a bearer token. */
export const PROGRAM_ROWS: readonly Row[] = [
  { route: 'GET /.well-known/oauth-authorization-server', answers: toAnybody('200') },
  { route: 'GET /.well-known/openid-configuration', answers: toAnybody('200') },
  {
    route: 'GET /oauth/authorize',
    ask: ({ programs }) => ({
      query: {
        response_type: 'code',
        client_id: programs.shared,
        redirect_uri: CALLBACK,
        ...createPkce().pkce,
        code_challenge_method: 'S256',
      },
    }),
    answers: toAnybody('302'),
    changes: { of: [], tables: ['auth.oauth_authorizations'] },
  },
  {
    route: 'POST /oauth/token',
    what: 'for a code',
    ask: ({ programs: { shared, consented } }) => ({
      form: {
        grant_type: 'authorization_code',
        client_id: shared,
        code: consented.code,
        code_verifier: consented.verifier,
        redirect_uri: CALLBACK,
      },
    }),
    answers: toAnybody('200'),
    changes: { of: ['ana'], tables: ['auth.oauth_authorizations', ...SESSION] },
  },
  {
    route: 'POST /oauth/token',
    what: 'for a refresh token',
    ask: ({ programs: { shared, reader } }) => ({
      form: { grant_type: 'refresh_token', client_id: shared, refresh_token: reader.refresh_token },
    }),
    answers: toAnybody('200'),
    changes: { of: ['ana'], tables: ['auth.refresh_tokens', 'auth.sessions'] },
  },
  {
    route: 'POST /oauth/token',
    what: 'for another program’s refresh token',
    ask: ({ programs: { shared, writer } }) => ({
      form: { grant_type: 'refresh_token', client_id: shared, refresh_token: writer.refresh_token },
    }),
    answers: toAnybody('400 invalid_grant'),
  },
  {
    route: 'POST /oauth/revoke',
    ask: ({ programs: { shared, reader } }) => ({
      form: { client_id: shared, token: reader.refresh_token },
    }),
    answers: toAnybody('200'),
    changes: { of: ['ana'], tables: SESSION },
    tells: [],
  },
  {
    route: 'POST /oauth/revoke',
    what: 'another program’s token',
    ask: ({ programs: { shared, writer } }) => ({
      form: { client_id: shared, token: writer.refresh_token },
    }),
    answers: toAnybody('200'),
    tells: [],
  },
  { route: 'GET /oauth/userinfo', answers: TO_PROGRAMS },
  { route: 'POST /oauth/userinfo', answers: TO_PROGRAMS },
  {
    route: 'POST /oauth/clients/register',
    ask: () => ({ body: { client_name: 'Outro', redirect_uris: [CALLBACK] } }),
    answers: toAnybody('201'),
    changes: { of: [], tables: ['auth.oauth_clients'] },
  },
  { route: 'GET /admin/oauth/clients', answers: toOperator('200'), tells: PEOPLE },
  {
    route: 'POST /admin/oauth/clients',
    ask: () => ({ body: { client_name: 'Outro', redirect_uris: [CALLBACK] } }),
    answers: toOperator('201'),
    changes: { of: [], tables: ['auth.oauth_clients'] },
  },
  {
    route: 'GET /admin/oauth/clients/:client_id',
    ask: ({ programs }) => ({ params: { client_id: programs.confidential } }),
    answers: toOperator('200'),
  },
  {
    route: 'PUT /admin/oauth/clients/:client_id',
    ask: ({ programs }) => ({ params: { client_id: programs.confidential }, body: { client_name: 'Outro' } }),
    answers: toOperator('200'),
    changes: { of: [], tables: ['auth.oauth_clients'] },
  },
  {
    route: 'DELETE /admin/oauth/clients/:client_id',
    ask: ({ programs }) => ({ params: { client_id: programs.shared } }),
    answers: toOperator('204'),
    changes: {
      of: ['ana', 'bia'],
      tables: ['auth.oauth_authorizations', 'auth.oauth_clients', 'auth.oauth_consents', ...SESSION],
    },
  },
  {
    route: 'POST /admin/oauth/clients/:client_id/regenerate_secret',
    ask: ({ programs }) => ({ params: { client_id: programs.confidential } }),
    answers: toOperator('200'),
    changes: { of: [], tables: ['auth.oauth_clients'] },
  },
];
