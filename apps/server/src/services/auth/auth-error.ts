/** GoTrue's codes that we can answer, and `mfa_reset_not_ready`, which is ours; each with its usual status and message (protocol note, sections 1.1 and 1.3). */
const CATALOGUE = {
  anonymous_provider_disabled: [422, 'Anonymous sign-ins are disabled'],
  bad_code_verifier: [400, 'code challenge does not match previously saved code verifier'],
  bad_json: [400, 'Could not parse request body as JSON'],
  bad_jwt: [403, 'invalid JWT: unable to parse or verify signature'],
  bad_oauth_callback: [400, 'OAuth callback without a flow that was started here'],
  bad_oauth_state: [400, 'OAuth state not found or expired'],
  captcha_failed: [400, 'captcha protection: request disallowed'],
  conflict: [409, 'Another request is changing the same account, try again'],
  current_password_invalid: [400, 'Current password is not correct'],
  custom_provider_not_found: [404, 'Custom OAuth provider not found'],
  email_conflict_identity_not_deletable: [
    422,
    "Unable to unlink identity: another account has the remaining identity's email",
  ],
  email_exists: [422, 'A user with this email address has already been registered'],
  email_not_confirmed: [400, 'Email not confirmed'],
  email_send_failed: [422, 'The email could not be sent, try again in a moment'],
  feature_disabled: [400, 'Custom OAuth/OIDC providers are not enabled'],
  flow_state_expired: [422, 'invalid flow state, flow state has expired'],
  flow_state_not_found: [404, 'invalid flow state, no valid flow state found'],
  hook_payload_invalid_content_type: [400, 'Invalid Content-Type: Missing Content-Type header'],
  hook_payload_over_size_limit: [422, 'Payload size exceeded size limit of 204800 bytes'],
  hook_timeout: [422, 'Failed to reach hook within maximum time'],
  hook_timeout_after_retry: [422, 'Failed to reach hook after maximum retries'],
  identity_already_exists: [422, 'Identity is already linked'],
  identity_not_found: [422, "Identity doesn't exist"],
  insufficient_aal: [403, 'AAL2 required'],
  invalid_credentials: [400, 'Invalid login credentials'],
  manual_linking_disabled: [404, 'Manual linking is disabled'],
  method_not_allowed: [405, 'Method not allowed'],
  mfa_challenge_expired: [422, 'MFA challenge has expired'],
  mfa_factor_name_conflict: [422, 'A factor with this friendly name already exists'],
  mfa_factor_not_found: [404, 'Factor not found'],
  mfa_ip_address_mismatch: [422, 'Challenge and verify IP addresses mismatch.'],
  mfa_phone_enroll_not_enabled: [422, 'MFA enroll is disabled for Phone'],
  mfa_phone_verify_not_enabled: [422, 'MFA verification is disabled for Phone'],
  mfa_recovery_codes_enroll_not_enabled: [422, 'MFA enroll is disabled for recovery codes'],
  mfa_recovery_codes_locked: [429, 'Too many failed verification attempts, try again later'],
  mfa_recovery_codes_sole_factor: [422, 'Recovery codes cannot be the only verified factor'],
  mfa_recovery_codes_verify_not_enabled: [422, 'MFA verification is disabled for recovery codes'],
  mfa_reset_not_ready: [422, 'Factors can be reset after the waiting time only'],
  mfa_totp_enroll_not_enabled: [422, 'MFA enroll is disabled for TOTP'],
  mfa_totp_verify_not_enabled: [422, 'MFA verification is disabled for TOTP'],
  mfa_verification_failed: [422, 'Invalid MFA code entered'],
  mfa_verification_rejected: [403, 'Further MFA verification attempts will be rejected.'],
  mfa_verified_factor_exists: [422, 'A verified factor of this kind already exists'],
  mfa_webauthn_enroll_not_enabled: [422, 'MFA enroll is disabled for WebAuthn'],
  insufficient_scope: [403, 'A program cannot do this for a person'],
  mfa_webauthn_verify_not_enabled: [422, 'MFA verification is disabled for WebAuthn'],
  no_authorization: [401, 'This endpoint requires a valid Bearer token'],
  not_admin: [403, 'User not allowed'],
  not_found: [404, 'This endpoint does not exist'],
  otp_disabled: [422, 'Signups not allowed for otp'],
  otp_expired: [403, 'Token has expired or is invalid'],
  oauth_authorization_not_found: [404, 'authorization not found'],
  oauth_client_not_found: [404, 'OAuth client not found'],
  oauth_consent_not_found: [404, 'No active grant found for this client'],
  oauth_dynamic_client_registration_disabled: [403, 'Dynamic client registration is not enabled'],
  over_email_send_rate_limit: [429, 'email rate limit exceeded'],
  over_sms_send_rate_limit: [429, 'sms rate limit exceeded'],
  over_request_rate_limit: [429, 'Request rate limit reached'],
  passkey_disabled: [404, 'Passkeys are disabled'],
  phone_exists: [422, 'A user with this phone number has already been registered'],
  phone_not_confirmed: [400, 'Phone not confirmed'],
  phone_provider_disabled: [400, 'Phone logins are disabled'],
  provider_disabled: [400, 'Provider is not enabled'],
  provider_email_needs_verification: [
    422,
    'Unverified email with the provider. Verify the email with the provider first',
  ],
  reauthentication_needed: [400, 'Password update requires reauthentication'],
  reauthentication_not_valid: [422, 'Nonce has expired or is invalid'],
  refresh_token_already_used: [400, 'Invalid Refresh Token: Already Used'],
  refresh_token_not_found: [400, 'Invalid Refresh Token: Refresh Token Not Found'],
  request_entity_too_large: [413, 'Request body is too large'],
  request_timeout: [504, 'Processing this request timed out, please retry after a moment.'],
  same_password: [422, 'New password should be different from the old password.'],
  saml_assertion_no_email: [400, 'SAML Assertion does not contain an email address'],
  saml_assertion_no_user_id: [400, 'SAML Assertion does not name a person'],
  saml_entity_id_mismatch: [400, 'SAML Metadata are of another identity provider'],
  saml_idp_already_exists: [422, 'SAML Identity Provider with this EntityID already exists'],
  saml_idp_not_found: [404, 'A SAML connection has not been established with this Identity Provider'],
  saml_metadata_fetch_failed: [400, 'SAML Metadata could not be read from the URL'],
  saml_provider_disabled: [404, 'SAML 2.0 is disabled'],
  saml_relay_state_expired: [422, 'SAML RelayState has expired. Try logging in again?'],
  saml_relay_state_not_found: [404, 'SAML RelayState does not exist, try logging in again?'],
  session_expired: [400, 'Invalid Refresh Token: Session Expired'],
  session_not_found: [403, 'Session from session_id claim in JWT does not exist'],
  signup_disabled: [422, 'Signups not allowed for this instance'],
  single_identity_not_deletable: [422, 'User must have at least 1 identity after unlinking'],
  sso_domain_already_exists: [400, 'SSO Domain is already assigned to an SSO identity provider'],
  sso_provider_disabled: [404, 'SSO Provider assigned for this domain is currently disabled'],
  sso_provider_not_found: [404, 'No such SSO provider'],
  too_many_enrolled_mfa_factors: [422, 'Maximum number of verified factors reached, unenroll to continue'],
  sms_send_failed: [422, 'The text message could not be sent, try again in a moment'],
  too_many_personal_tokens: [422, 'There are as many personal tokens as there may be'],
  unexpected_failure: [500, 'Unexpected failure, please check server logs for more information'],
  unknown: [400, 'The request was refused'],
  too_many_passkeys: [422, 'Maximum number of passkeys reached'],
  user_already_exists: [422, 'User already registered'],
  user_banned: [403, 'User is banned'],
  user_sso_managed: [422, 'Updating email, phone, password of a SSO account only possible via SSO'],
  user_not_found: [404, 'User not found'],
  validation_failed: [400, 'Validation failed'],
  weak_password: [422, 'Password should be stronger.'],
  webauthn_challenge_expired: [400, 'Challenge has expired'],
  webauthn_challenge_not_found: [400, 'Challenge not found or already used'],
  webauthn_credential_exists: [422, 'This credential is already registered'],
  webauthn_verification_failed: [400, 'Credential verification failed'],
  web3_provider_disabled: [422, 'Web3 provider is disabled'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type AuthErrorCode = keyof typeof CATALOGUE;

export type AuthErrorDetails = {
  /** Replaces the catalogue's message. */
  readonly message?: string;
  /** Replaces the catalogue's status, where GoTrue answers one code in two ways. */
  readonly status?: number;
  /** Logged, never sent. */
  readonly cause?: unknown;
  /** Seconds, sent as `Retry-After`. */
  readonly retryAfter?: number;
  /** Why a password is weak. */
  readonly reasons?: readonly ('length' | 'characters' | 'pwned')[];
  /** Methods the path does have, sent as `Allow`. */
  readonly allow?: readonly string[];
};

/** The one kind of failure an operation throws on purpose. */
export class AuthError extends Error {
  override readonly name = 'AuthError';
  readonly code: AuthErrorCode;
  readonly status: number;
  readonly details: AuthErrorDetails;

  constructor(code: AuthErrorCode, details: AuthErrorDetails = {}) {
    const [status, message] = CATALOGUE[code];
    super(details.message ?? message, { cause: details.cause });
    this.code = code;
    this.status = details.status ?? status;
    this.details = details;
  }
}

type OAuthErrorCode =
  | 'access_denied'
  | 'insufficient_scope'
  | 'invalid_client'
  | 'invalid_client_metadata'
  | 'invalid_grant'
  | 'invalid_nonce'
  | 'invalid_redirect_uri'
  | 'invalid_request'
  | 'invalid_scope'
  | 'invalid_target'
  | 'invalid_token'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type';

/** Answers whose status is not 400, and what they ask for (RFC 6749, section 5.2; RFC 6750, section 3.1). */
const CHALLENGES: Readonly<Partial<Record<string, readonly [status: number, scheme: string]>>> = {
  invalid_client: [401, 'Basic'],
  invalid_token: [401, 'Bearer'],
  insufficient_scope: [403, 'Bearer'],
};

const MAX_DESCRIPTION_LENGTH = 300;

/** The failures that keep OAuth's own shape (RFC 6749, section 5.2). */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly error: string;

  constructor(error: OAuthErrorCode, description: string) {
    super(description);
    this.error = error;
  }

  get status(): number {
    return CHALLENGES[this.error]?.[0] ?? 400;
  }

  /** What `WWW-Authenticate` says; undefined: nothing. */
  get challenge(): string | undefined {
    const scheme = CHALLENGES[this.error]?.[1];
    return scheme && `${scheme} realm="auth", error="${this.error}"`;
  }

  /** What another provider answered instead of a code (RFC 6749, section 4.1.2.1). Anybody can write it into an address. */
  static ofProvider(error: string, description: string): OAuthError {
    const failure = new OAuthError(
      'invalid_request',
      description.slice(0, MAX_DESCRIPTION_LENGTH).toWellFormed(),
    );
    return Object.assign(failure, { error: /^[a-z_]{1,64}$/.test(error) ? error : 'server_error' });
  }
}
