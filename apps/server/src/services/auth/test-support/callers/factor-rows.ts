import { codeOf } from '../authenticator-app.ts';
import { type Row, toAnybody, toPeople } from './row.ts';
import type { Scene } from './scene.ts';
import { LOG, LOST_FACTOR, RAISED_SESSION, SIGN_IN } from './tables.ts';

/** An account without an address has no factors. */
const NO_VISITOR = { visitor: '403 no_authorization' } as const;

/** Second factors. */
export const FACTOR_ROWS: readonly Row[] = [
  {
    route: 'POST /factors',
    ask: () => ({ body: { factor_type: 'totp', friendly_name: 'mais um' } }),
    answers: toPeople({ person: '200', stranger: '200', ...NO_VISITOR, firstLevel: '403 insufficient_aal' }),
    changes: { tables: ['auth.mfa_factors', LOG] },
  },
  {
    route: 'POST /factors/:factor_id/challenge',
    ask: ({ things }) => ({ params: { factor_id: things.app.factorId }, body: {} }),
    answers: toPeople({
      person: '200',
      stranger: '404 mfa_factor_not_found',
      ...NO_VISITOR,
      firstLevel: '200',
    }),
    changes: { tables: ['auth.mfa_challenges', 'auth.mfa_factors', LOG] },
  },
  {
    route: 'POST /factors/:factor_id/verify',
    ask: ({ service, things }) => ({
      params: { factor_id: things.app.factorId },
      body: { challenge_id: things.challengeId, code: codeOf(service, things.app, 1) },
    }),
    answers: toPeople({
      person: '200',
      stranger: '404 mfa_factor_not_found',
      ...NO_VISITOR,
      firstLevel: '200',
    }),
    changes: { tables: ['auth.mfa_challenges', 'auth.totp_uses', ...RAISED_SESSION] },
  },
  {
    route: 'DELETE /factors/:factor_id',
    ask: ({ things }) => ({ params: { factor_id: things.spareAppId } }),
    answers: toPeople({
      person: '200',
      stranger: '404 mfa_factor_not_found',
      ...NO_VISITOR,
      firstLevel: '422 insufficient_aal',
    }),
    changes: { tables: LOST_FACTOR },
  },
  {
    route: 'GET /factors/recovery-codes',
    answers: toPeople({
      person: '200',
      stranger: '404 mfa_factor_not_found',
      ...NO_VISITOR,
      firstLevel: '200',
    }),
  },
  {
    route: 'POST /factors/recovery-codes',
    prepare: ({ service, people }) =>
      service.admin.query(
        `delete from auth.mfa_factors where user_id = $1 and factor_type = 'recovery_code'`,
        [people.ana.id],
      ),
    answers: toPeople({
      person: '200',
      stranger: '403 insufficient_aal',
      ...NO_VISITOR,
      firstLevel: '403 insufficient_aal',
    }),
    changes: { tables: ['auth.mfa_factors', 'auth.mfa_recovery_codes', LOG] },
  },
  {
    route: 'DELETE /factors/recovery-codes',
    answers: toPeople({
      person: '200',
      stranger: '403 insufficient_aal',
      ...NO_VISITOR,
      firstLevel: '403 insufficient_aal',
    }),
    changes: { tables: ['auth.mfa_factors', 'auth.mfa_recovery_codes', LOG] },
  },
  {
    route: 'POST /factors/recovery-codes/regenerate',
    answers: toPeople({
      person: '200',
      stranger: '403 insufficient_aal',
      ...NO_VISITOR,
      firstLevel: '403 insufficient_aal',
    }),
    changes: { tables: ['auth.mfa_recovery_codes', LOG] },
  },
  {
    route: 'POST /factors/recovery-codes/verify',
    ask: ({ things }) => ({ body: { code: things.recoveryCodes[0] } }),
    answers: toPeople({
      person: '200',
      stranger: '422 mfa_verification_failed',
      ...NO_VISITOR,
      firstLevel: '200',
    }),
    changes: { tables: ['auth.mfa_recovery_codes', ...RAISED_SESSION] },
    counts: ['auth.rate_counters'],
  },
  {
    route: 'GET /factors/reset',
    answers: toPeople({ person: '200', stranger: '200', ...NO_VISITOR, firstLevel: '200' }),
  },
  {
    route: 'POST /factors/reset',
    answers: toPeople({
      person: '200',
      stranger: '404 mfa_factor_not_found',
      ...NO_VISITOR,
      firstLevel: '200',
    }),
    changes: { tables: ['auth.factor_resets', LOG] },
  },
  {
    route: 'DELETE /factors/reset',
    prepare: ({ service, people }) => askReset(service, people.ana.id),
    answers: toPeople({ person: '200', stranger: '200', ...NO_VISITOR, firstLevel: '200' }),
    changes: { tables: ['auth.factor_resets'] },
  },
  {
    route: 'POST /factors/reset/finish',
    prepare: ({ service, people }) => askReset(service, people.ana.id),
    ask: ({ things }) => ({ body: { nonce: things.nonce } }),
    answers: toPeople({
      person: '200',
      stranger: '404 mfa_factor_not_found',
      ...NO_VISITOR,
      firstLevel: '200',
    }),
    changes: {
      tables: ['auth.factor_resets', 'auth.mailed_tokens', 'auth.mfa_recovery_codes', ...LOST_FACTOR],
    },
  },
];

/** So long ago that it may be finished. */
function askReset({ admin }: { readonly admin: Scene['service']['admin'] }, userId: string) {
  return admin.query(
    `insert into auth.factor_resets (user_id, asked_at, ready_at) values ($1, now() - interval '4 days', now() - interval '1 day')`,
    [userId],
  );
}

const PASSKEY_LEVEL = { ...NO_VISITOR, firstLevel: '403 insufficient_aal' } as const;

export const PASSKEY_ROWS: readonly Row[] = [
  {
    route: 'POST /passkeys/registration/options',
    ask: () => ({ body: {} }),
    answers: toPeople({ person: '200', stranger: '200', ...PASSKEY_LEVEL }),
    changes: { tables: ['auth.webauthn_challenges'] },
  },
  {
    route: 'POST /passkeys/registration/verify',
    ask: ({ things }) => ({ body: things.registration }),
    answers: toPeople({ person: '200', stranger: '400 webauthn_challenge_not_found', ...PASSKEY_LEVEL }),
    changes: { tables: ['auth.webauthn_challenges', 'auth.webauthn_credentials', LOG] },
  },
  {
    route: 'POST /passkeys/authentication/options',
    ask: () => ({ body: {} }),
    answers: toAnybody('200'),
    changes: { of: [], tables: ['auth.webauthn_challenges'] },
  },
  {
    route: 'POST /passkeys/authentication/verify',
    ask: ({ waysIn }) => ({ body: waysIn.passkeyAnswer }),
    answers: toAnybody('200'),
    changes: { of: ['ana'], tables: ['auth.webauthn_challenges', 'auth.webauthn_credentials', ...SIGN_IN] },
  },
  { route: 'GET /passkeys', answers: toPeople({ person: '200', stranger: '200', ...PASSKEY_LEVEL }) },
  {
    route: 'PATCH /passkeys/:passkey_id',
    ask: ({ things }) => ({
      params: { passkey_id: things.passkey.id },
      body: { friendly_name: 'Notebook' },
    }),
    answers: toPeople({ person: '200', stranger: '404 validation_failed', ...PASSKEY_LEVEL }),
    changes: { tables: ['auth.webauthn_credentials'] },
  },
  {
    route: 'DELETE /passkeys/:passkey_id',
    ask: ({ things }) => ({ params: { passkey_id: things.passkey.id } }),
    answers: toPeople({ person: '204', stranger: '404 validation_failed', ...PASSKEY_LEVEL }),
    changes: { tables: ['auth.webauthn_credentials', LOG] },
  },
];
