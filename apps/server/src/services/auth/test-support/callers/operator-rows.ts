import { type Row, toOperator } from './row.ts';
import { PEOPLE } from './scene.ts';
import { LOG, LOST_FACTOR, NEW_ACCOUNT, WHOLE_ACCOUNT } from './tables.ts';

const EVERYBODY = PEOPLE;

const ofAna: NonNullable<Row['ask']> = ({ people }) => ({ params: { user_id: people.ana.id } });

/** What the operator's key opens, and nobody else's. */
export const OPERATOR_ROWS: readonly Row[] = [
  {
    route: 'POST /invite',
    ask: () => ({ body: { email: 'convidada@exemplo.test' } }),
    answers: toOperator('200'),
    changes: { of: [], tables: [...NEW_ACCOUNT, 'auth.mailed_tokens', LOG] },
  },
  { route: 'GET /admin/users', answers: toOperator('200'), tells: EVERYBODY },
  {
    route: 'POST /admin/users',
    ask: () => ({ body: { email: 'nova@exemplo.test', email_confirm: true } }),
    answers: toOperator('200'),
    changes: { of: [], tables: [...NEW_ACCOUNT, LOG] },
  },
  { route: 'GET /admin/users/:user_id', ask: ofAna, answers: toOperator('200'), tells: ['ana'] },
  {
    route: 'PUT /admin/users/:user_id',
    ask: (scene) => ({ ...ofAna(scene), body: { user_metadata: { full_name: 'Outra' } } }),
    answers: toOperator('200'),
    changes: { of: ['ana'], tables: ['auth.users', 'public.profiles', LOG] },
  },
  {
    route: 'DELETE /admin/users/:user_id',
    ask: (scene) => ({ ...ofAna(scene), body: {} }),
    answers: toOperator('200'),
    changes: { of: ['ana'], tables: WHOLE_ACCOUNT },
  },
  {
    route: 'POST /admin/generate_link',
    ask: ({ people }) => ({ body: { type: 'recovery', email: people.ana.email } }),
    answers: toOperator('200'),
    changes: { of: ['ana'], tables: ['auth.mailed_tokens', 'auth.users', LOG] },
  },
  { route: 'GET /admin/users/:user_id/factors', ask: ofAna, answers: toOperator('200'), tells: ['ana'] },
  {
    route: 'PUT /admin/users/:user_id/factors/:factor_id',
    ask: ({ people, things }) => ({
      params: { user_id: people.ana.id, factor_id: things.spareAppId },
      body: { friendly_name: 'Reserva' },
    }),
    answers: toOperator('200'),
    changes: { of: ['ana'], tables: ['auth.mfa_factors', LOG] },
  },
  {
    route: 'DELETE /admin/users/:user_id/factors/:factor_id',
    ask: ({ people, things }) => ({ params: { user_id: people.ana.id, factor_id: things.spareAppId } }),
    answers: toOperator('200'),
    changes: { of: ['ana'], tables: LOST_FACTOR },
  },
  { route: 'GET /admin/users/:user_id/passkeys', ask: ofAna, answers: toOperator('200'), tells: ['ana'] },
  {
    route: 'DELETE /admin/users/:user_id/passkeys/:passkey_id',
    ask: ({ people, things }) => ({ params: { user_id: people.ana.id, passkey_id: things.passkey.id } }),
    answers: toOperator('204'),
    changes: { of: ['ana'], tables: ['auth.webauthn_credentials', LOG] },
  },
  { route: 'GET /admin/sso/providers', answers: toOperator('200') },
  {
    route: 'POST /admin/sso/providers',
    ask: ({ waysIn }) => ({ body: { type: 'saml', metadata_xml: waysIn.anotherOrganisation } }),
    answers: toOperator('201'),
    changes: { of: [], tables: ['auth.saml_providers', 'auth.sso_providers'] },
  },
  {
    route: 'GET /admin/sso/providers/:idp_id',
    ask: ({ waysIn }) => ({ params: { idp_id: waysIn.organisationId } }),
    answers: toOperator('200'),
  },
  {
    route: 'PUT /admin/sso/providers/:idp_id',
    ask: ({ waysIn }) => ({ params: { idp_id: waysIn.organisationId }, body: { disabled: true } }),
    answers: toOperator('200'),
    changes: { of: [], tables: ['auth.saml_providers', 'auth.sso_providers'] },
  },
  {
    route: 'DELETE /admin/sso/providers/:idp_id',
    ask: ({ waysIn }) => ({ params: { idp_id: waysIn.organisationId } }),
    answers: toOperator('200'),
    changes: {
      of: [],
      tables: ['auth.saml_providers', 'auth.saml_relay_states', 'auth.sso_domains', 'auth.sso_providers'],
    },
  },
  { route: 'GET /admin/custom-providers', answers: toOperator('200') },
  {
    route: 'POST /admin/custom-providers',
    ask: () => ({ body: {} }),
    answers: toOperator('400 feature_disabled'),
  },
  ...['GET', 'PUT', 'DELETE'].map(
    (method): Row => ({
      route: `${method} /admin/custom-providers/:identifier`,
      ask: () => ({ params: { identifier: 'custom:nosso' }, ...(method === 'PUT' ? { body: {} } : {}) }),
      answers: toOperator('404 custom_provider_not_found'),
    }),
  ),
];
