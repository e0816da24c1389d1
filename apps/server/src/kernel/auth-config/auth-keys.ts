import type * as v from 'valibot';
import type { AuthConfig } from '../settings.ts';
import {
  duration,
  flag,
  inFiveMinutes,
  opposite,
  pagePath,
  passwordChangeFreshness,
  passwordRequirements,
  relyingPartyId,
  relyingPartyName,
  relyingPartyOrigins,
  smsTemplate,
  wholeNumber,
  within,
} from './auth-values.ts';

export type AuthKey = {
  /** In `supabase/config.toml`. */
  readonly path: string;
  readonly field: keyof AuthConfig;
  readonly schema: v.GenericSchema<string, unknown>;
  /** GoTrue's variable for the same, and how it is read where it says the opposite. */
  readonly gotrue?: string;
  readonly gotrueSchema?: v.GenericSchema<string, unknown>;
};

/** Every key that this server follows. (Source: the platform's config.toml reference; GoTrue's README.) */
export const AUTH_KEYS: readonly AuthKey[] = [
  {
    path: 'auth.jwt_expiry',
    field: 'accessTokenLifetime',
    schema: wholeNumber(30, 604_800),
    gotrue: 'GOTRUE_JWT_EXP',
  },
  {
    path: 'auth.enable_signup',
    field: 'signUpEnabled',
    schema: flag,
    gotrue: 'GOTRUE_DISABLE_SIGNUP',
    gotrueSchema: opposite,
  },
  {
    path: 'auth.enable_anonymous_sign_ins',
    field: 'anonymousSignInsEnabled',
    schema: flag,
    gotrue: 'GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED',
  },
  {
    path: 'auth.enable_manual_linking',
    field: 'manualLinkingEnabled',
    schema: flag,
    gotrue: 'GOTRUE_SECURITY_MANUAL_LINKING_ENABLED',
  },
  {
    path: 'auth.minimum_password_length',
    field: 'passwordMinLength',
    schema: wholeNumber(6, 72),
    gotrue: 'GOTRUE_PASSWORD_MIN_LENGTH',
  },
  { path: 'auth.password_requirements', field: 'passwordCharacters', schema: passwordRequirements },
  {
    path: 'auth.refresh_token_reuse_interval',
    field: 'refreshReuseInterval',
    schema: wholeNumber(0, 3600),
    gotrue: 'GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL',
  },
  {
    path: 'auth.sessions.timebox',
    field: 'sessionTimebox',
    schema: duration,
    gotrue: 'GOTRUE_SESSIONS_TIMEBOX',
  },
  {
    path: 'auth.sessions.inactivity_timeout',
    field: 'sessionInactivityTimeout',
    schema: duration,
    gotrue: 'GOTRUE_SESSIONS_INACTIVITY_TIMEOUT',
  },
  {
    path: 'auth.email.enable_confirmations',
    field: 'confirmEmail',
    schema: flag,
    gotrue: 'GOTRUE_MAILER_AUTOCONFIRM',
    gotrueSchema: opposite,
  },
  {
    path: 'auth.email.double_confirm_changes',
    field: 'secureEmailChange',
    schema: flag,
    gotrue: 'GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED',
  },
  {
    path: 'auth.email.secure_password_change',
    field: 'passwordChangeFreshness',
    schema: passwordChangeFreshness,
    gotrue: 'GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION',
  },
  {
    path: 'auth.email.max_frequency',
    field: 'mailFrequency',
    schema: duration,
    gotrue: 'GOTRUE_SMTP_MAX_FREQUENCY',
  },
  {
    path: 'auth.email.otp_expiry',
    field: 'mailedTokenLifetime',
    schema: wholeNumber(60, 86_400),
    gotrue: 'GOTRUE_MAILER_OTP_EXP',
  },
  {
    path: 'auth.email.otp_length',
    field: 'codeLength',
    schema: wholeNumber(6, 10),
    gotrue: 'GOTRUE_MAILER_OTP_LENGTH',
  },
  {
    path: 'auth.oauth_server.enabled',
    field: 'oauthServerEnabled',
    schema: flag,
    gotrue: 'GOTRUE_OAUTH_SERVER_ENABLED',
  },
  {
    path: 'auth.oauth_server.allow_dynamic_registration',
    field: 'oauthDynamicRegistration',
    schema: flag,
    gotrue: 'GOTRUE_OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION',
  },
  {
    path: 'auth.oauth_server.authorization_url_path',
    field: 'oauthConsentPath',
    schema: pagePath,
    gotrue: 'GOTRUE_OAUTH_SERVER_AUTHORIZATION_PATH',
  },
  {
    path: 'auth.sms.enable_signup',
    field: 'phoneEnabled',
    schema: flag,
    gotrue: 'GOTRUE_EXTERNAL_PHONE_ENABLED',
  },
  {
    path: 'auth.sms.enable_confirmations',
    field: 'confirmPhone',
    schema: flag,
    gotrue: 'GOTRUE_SMS_AUTOCONFIRM',
    gotrueSchema: opposite,
  },
  {
    path: 'auth.sms.max_frequency',
    field: 'smsFrequency',
    schema: duration,
    gotrue: 'GOTRUE_SMS_MAX_FREQUENCY',
  },
  { path: 'auth.sms.template', field: 'smsTemplate', schema: smsTemplate, gotrue: 'GOTRUE_SMS_TEMPLATE' },
  {
    path: 'auth.rate_limit.sms_sent',
    field: 'smsSent',
    schema: within(3600),
    gotrue: 'GOTRUE_RATE_LIMIT_SMS_SENT',
  },
  {
    path: 'auth.rate_limit.email_sent',
    field: 'mailsSent',
    schema: within(3600),
    gotrue: 'GOTRUE_RATE_LIMIT_EMAIL_SENT',
  },
  {
    path: 'auth.rate_limit.token_refresh',
    field: 'refreshesPerAddress',
    schema: inFiveMinutes,
    gotrue: 'GOTRUE_RATE_LIMIT_TOKEN_REFRESH',
  },
  { path: 'auth.rate_limit.sign_in_sign_ups', field: 'requestsPerAddress', schema: inFiveMinutes },
  {
    path: 'auth.rate_limit.token_verifications',
    field: 'failedVerificationsPerAddress',
    schema: inFiveMinutes,
  },
  {
    path: 'auth.rate_limit.anonymous_users',
    field: 'anonymousSignInsPerAddress',
    schema: within(3600),
    gotrue: 'GOTRUE_RATE_LIMIT_ANONYMOUS_USERS',
  },
  {
    path: 'auth.mfa.max_enrolled_factors',
    field: 'maxEnrolledFactors',
    schema: wholeNumber(1, 30),
    gotrue: 'GOTRUE_MFA_MAX_ENROLLED_FACTORS',
  },
  {
    path: 'auth.mfa.totp.enroll_enabled',
    field: 'totpEnrollEnabled',
    schema: flag,
    gotrue: 'GOTRUE_MFA_TOTP_ENROLL_ENABLED',
  },
  {
    path: 'auth.mfa.totp.verify_enabled',
    field: 'totpVerifyEnabled',
    schema: flag,
    gotrue: 'GOTRUE_MFA_TOTP_VERIFY_ENABLED',
  },
  {
    path: 'auth.mfa.web_authn.enroll_enabled',
    field: 'webAuthnEnrollEnabled',
    schema: flag,
    gotrue: 'GOTRUE_MFA_WEB_AUTHN_ENROLL_ENABLED',
  },
  {
    path: 'auth.mfa.web_authn.verify_enabled',
    field: 'webAuthnVerifyEnabled',
    schema: flag,
    gotrue: 'GOTRUE_MFA_WEB_AUTHN_VERIFY_ENABLED',
  },
  { path: 'auth.passkey.enabled', field: 'passkeysEnabled', schema: flag, gotrue: 'GOTRUE_PASSKEY_ENABLED' },
  {
    path: 'auth.webauthn.rp_id',
    field: 'webAuthnRpId',
    schema: relyingPartyId,
    gotrue: 'GOTRUE_WEBAUTHN_RP_ID',
  },
  {
    path: 'auth.webauthn.rp_display_name',
    field: 'webAuthnRpName',
    schema: relyingPartyName,
    gotrue: 'GOTRUE_WEBAUTHN_RP_DISPLAY_NAME',
  },
  {
    path: 'auth.webauthn.rp_origins',
    field: 'webAuthnOrigins',
    schema: relyingPartyOrigins,
    gotrue: 'GOTRUE_WEBAUTHN_RP_ORIGINS',
  },
  {
    path: 'auth.mfa.phone.enroll_enabled',
    field: 'phoneFactorEnrollEnabled',
    schema: flag,
    gotrue: 'GOTRUE_MFA_PHONE_ENROLL_ENABLED',
  },
  {
    path: 'auth.mfa.phone.verify_enabled',
    field: 'phoneFactorVerifyEnabled',
    schema: flag,
    gotrue: 'GOTRUE_MFA_PHONE_VERIFY_ENABLED',
  },
  {
    path: 'auth.mfa.phone.otp_length',
    field: 'phoneFactorCodeLength',
    schema: wholeNumber(6, 10),
    gotrue: 'GOTRUE_MFA_PHONE_OTP_LENGTH',
  },
  {
    path: 'auth.mfa.phone.template',
    field: 'phoneFactorTemplate',
    schema: smsTemplate,
    gotrue: 'GOTRUE_MFA_PHONE_TEMPLATE',
  },
  {
    path: 'auth.mfa.phone.max_frequency',
    field: 'phoneFactorFrequency',
    schema: duration,
    gotrue: 'GOTRUE_MFA_PHONE_MAX_FREQUENCY',
  },
];
