/** What is written down of most acts. */
export const LOG = 'auth.audit_log_entries';

/** With what the product's own triggers make of it. */
export const ACCOUNT = ['auth.users', 'private.user_directory', 'public.library_counts', 'public.profiles'];
export const NEW_ACCOUNT = ['auth.identities', ...ACCOUNT];
/** An account that signs in for the first time. */
export const FIRST_SESSION = 'private.user_activity';

/** A session with its first refresh token and what proved it, or all that goes with one that ends. */
export const SESSION = ['auth.mfa_amr_claims', 'auth.refresh_tokens', 'auth.sessions'];
export const SIGN_IN = [...SESSION, 'auth.users', LOG];
/** An identity keeps when it was used. */
export const SIGN_IN_BY_IDENTITY = ['auth.identities', ...SIGN_IN];
/** Sessions of programs and scripts end with their owner's. */
export const ALL_SESSIONS = [...SESSION, 'auth.oauth_authorizations', 'auth.personal_tokens', LOG];

/** A session's new level, and what was counted on the way. */
export const RAISED_SESSION = [...SESSION, 'auth.rate_counters', LOG];
/** A factor that goes takes its challenges along, and the level of sessions that it raised. */
export const LOST_FACTOR = [
  'auth.mfa_amr_claims',
  'auth.mfa_challenges',
  'auth.mfa_factors',
  'auth.sessions',
  'auth.totp_uses',
  LOG,
];

/** A flow that has left for another provider, or come back. */
export const FLOW = ['auth.flow_state', 'auth.oauth_client_states'];

export const WHOLE_ACCOUNT = [
  ...NEW_ACCOUNT,
  FIRST_SESSION,
  ...ALL_SESSIONS,
  ...LOST_FACTOR,
  'auth.flow_state',
  'auth.mailed_tokens',
  'auth.mfa_recovery_codes',
  'auth.oauth_consents',
  'auth.webauthn_challenges',
  'auth.webauthn_credentials',
];
