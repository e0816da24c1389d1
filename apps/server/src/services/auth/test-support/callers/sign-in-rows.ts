import { PASSWORD } from '../start-auth-service.ts';
import { type Row, toAnybody, toPeople } from './row.ts';
import { ACCOUNT, FIRST_SESSION, FLOW, LOG, NEW_ACCOUNT, SIGN_IN, SIGN_IN_BY_IDENTITY } from './tables.ts';
import { createPkce, ORGANISATION } from './ways-in.ts';

/** What is open to everybody: whoever has the proof comes in, whatever token stands beside it. */
export const SIGN_IN_ROWS: readonly Row[] = [
  {
    route: 'POST /signup',
    what: 'a new address',
    ask: () => ({ body: { email: 'nova@exemplo.test', password: PASSWORD } }),
    answers: toAnybody('200'),
    changes: { of: [], tables: [...NEW_ACCOUNT, 'auth.mailed_tokens', LOG] },
  },
  {
    route: 'POST /signup',
    what: 'an address that is taken',
    ask: ({ people }) => ({ body: { email: people.ana.email, password: PASSWORD } }),
    answers: toAnybody('200'),
    changes: { of: ['ana'], tables: [LOG] },
    tells: [],
  },
  {
    route: 'POST /signup',
    what: 'without an address',
    ask: () => ({ body: {} }),
    answers: toAnybody('200'),
    changes: { of: [], tables: [...ACCOUNT, FIRST_SESSION, ...SIGN_IN] },
  },
  {
    route: 'POST /token',
    what: 'by password',
    ask: ({ people }) => ({
      query: { grant_type: 'password' },
      body: { email: people.ana.email, password: PASSWORD },
    }),
    answers: toAnybody('200'),
    changes: { of: ['ana'], tables: ['auth.rate_counters', ...SIGN_IN_BY_IDENTITY] },
  },
  {
    route: 'POST /token',
    what: 'by a wrong password',
    ask: ({ people }) => ({
      query: { grant_type: 'password' },
      body: { email: people.ana.email, password: 'senha errada' },
    }),
    answers: toAnybody('400 invalid_credentials'),
    counts: ['auth.rate_counters'],
  },
  {
    route: 'POST /token',
    what: 'by a refresh token',
    ask: ({ things }) => ({
      query: { grant_type: 'refresh_token' },
      body: { refresh_token: things.tokens.refresh_token },
    }),
    answers: toAnybody('200'),
    changes: { of: ['ana'], tables: ['auth.refresh_tokens', 'auth.sessions'] },
  },
  {
    route: 'POST /token',
    what: 'by the code of a followed link',
    ask: ({ waysIn }) => ({ query: { grant_type: 'pkce' }, body: waysIn.pkce }),
    answers: toAnybody('200'),
    changes: { of: ['ana'], tables: ['auth.flow_state', ...SIGN_IN_BY_IDENTITY] },
  },
  {
    route: 'POST /token',
    what: 'by an ID token',
    ask: ({ waysIn }) => ({
      query: { grant_type: 'id_token' },
      body: { provider: 'google', id_token: waysIn.idToken },
    }),
    answers: toAnybody('200'),
    changes: { of: [], tables: [...NEW_ACCOUNT, FIRST_SESSION, ...SIGN_IN_BY_IDENTITY] },
  },
  {
    route: 'POST /token',
    what: 'another way into an own account, by an ID token',
    ask: ({ waysIn }) => ({
      query: { grant_type: 'id_token' },
      body: { provider: 'google', id_token: waysIn.idToken, link_identity: true },
    }),
    answers: toPeople({ person: '200', stranger: '200', visitor: '200', firstLevel: '403 insufficient_aal' }),
    changes: { tables: ['private.user_directory', ...SIGN_IN_BY_IDENTITY] },
  },
  {
    route: 'POST /token',
    what: 'by a wallet',
    ask: () => ({ query: { grant_type: 'web3' }, body: {} }),
    answers: toAnybody('422 web3_provider_disabled'),
  },
  ...['POST /otp', 'POST /magiclink', 'POST /recover'].map(
    (route): Row => ({
      route,
      ask: ({ people }) => ({ body: { email: people.ana.email } }),
      answers: toAnybody('200'),
      changes: { of: ['ana'], tables: ['auth.mailed_tokens', 'auth.users', LOG] },
      tells: [],
    }),
  ),
  {
    route: 'POST /resend',
    ask: ({ people }) => ({ body: { type: 'signup', email: people.dora.email } }),
    answers: toAnybody('200'),
    changes: { of: ['dora'], tables: ['auth.mailed_tokens', 'auth.users', LOG] },
    tells: [],
  },
  {
    route: 'GET /verify',
    ask: ({ waysIn }) => ({ query: { token: waysIn.linkHash, type: 'recovery' } }),
    answers: toAnybody('303'),
    changes: { of: ['ana'], tables: ['auth.mailed_tokens', ...SIGN_IN_BY_IDENTITY] },
  },
  {
    route: 'POST /verify',
    ask: ({ waysIn }) => ({ body: { token_hash: waysIn.linkHash, type: 'recovery' } }),
    answers: toAnybody('200'),
    changes: { of: ['ana'], tables: ['auth.mailed_tokens', ...SIGN_IN_BY_IDENTITY] },
  },
  {
    route: 'GET /authorize',
    ask: () => ({ query: { provider: 'github', ...createPkce().pkce } }),
    answers: toAnybody('302'),
    changes: { of: [], tables: FLOW },
  },
  {
    route: 'POST /authorize',
    ask: () => ({ form: { provider: 'github', ...createPkce().pkce } }),
    answers: toAnybody('302'),
    changes: { of: [], tables: FLOW },
  },
  {
    route: 'GET /callback',
    ask: ({ places, waysIn }) => ({ query: answerOf(places.github.agree(waysIn.githubAddress)) }),
    answers: toAnybody('302'),
    changes: { of: ['ana'], tables: ['auth.identities', 'auth.users', 'public.profiles', ...FLOW] },
  },
  {
    route: 'POST /callback',
    ask: ({ places, waysIn }) => ({ form: answerOf(places.github.agree(waysIn.githubAddress)) }),
    answers: toAnybody('302'),
    changes: { of: ['ana'], tables: ['auth.identities', 'auth.users', 'public.profiles', ...FLOW] },
  },
  {
    route: 'POST /sso',
    ask: () => ({ body: { domain: ORGANISATION, ...createPkce().pkce } }),
    answers: toAnybody('303'),
    changes: { of: [], tables: ['auth.flow_state', 'auth.saml_relay_states'] },
  },
  { route: 'GET /sso/saml/metadata', answers: toAnybody('200') },
  {
    route: 'POST /sso/saml/acs',
    ask: ({ waysIn }) => ({ form: waysIn.samlAnswer }),
    answers: toAnybody('302'),
    changes: { of: [], tables: ['auth.flow_state', 'auth.saml_relay_states', ...NEW_ACCOUNT, LOG] },
  },
  { route: 'GET /settings', answers: toAnybody('200') },
  { route: 'GET /health', answers: toAnybody('200') },
  { route: 'GET /.well-known/jwks.json', answers: toAnybody('200') },
  { route: 'GET /jwks', answers: toAnybody('200') },
];

function answerOf({ searchParams }: URL): Record<string, string> {
  return Object.fromEntries(searchParams);
}
