import { RECENT_SIGN_IN_SECONDS } from '@linkoteca/domain/account-life';
import { type GoTemplate, parseGoTemplate } from '../../kernel/go-template/parse-go-template.ts';
import type {
  HookName,
  HookSettings,
  MailOverride,
  NoticeKind,
  PasswordCharacters,
  SamlSettings,
  Settings,
  SmsTestCodes,
  TwilioSettings,
} from '../../kernel/settings.ts';

const DAY = 86_400;

/** So many of something within a window. `points: 0` switches the limit off. */
export type RateLimit = { readonly points: number; readonly seconds: number };

/** Who verifies the captcha tokens that forms send. */
export type CaptchaSettings = {
  readonly siteKey: string;
  readonly secret: string;
  readonly verifyUrl: string;
};

/** Everything an operator may turn. Times are seconds unless the name says otherwise. */
export type AuthSettings = {
  /** Where people open the product, without a trailing slash: links in mails start with it. */
  readonly siteUrl: string;
  /** Further places a mail's link may lead to; `*` stops at `.` and `/`, `**` does not. */
  readonly redirectAllowList: readonly string[];
  readonly accessTokenLifetime: number;
  readonly signUpEnabled: boolean;
  /** False signs people in at once, without asking them to prove that the address is theirs. */
  readonly confirmEmail: boolean;
  /** Both the old and the new address must agree before an account's e-mail changes. */
  readonly secureEmailChange: boolean;
  /** How long after signing in a password may be changed without the current one or the code that `/reauthenticate` mails. */
  readonly passwordChangeFreshness: number;
  readonly passwordMinLength: number;
  /** Sets of characters of each of which a password needs one. */
  readonly passwordCharacters: readonly PasswordCharacters[];
  /** How long a link or code from a mail stays good. */
  readonly mailedTokenLifetime: number;
  /** How many digits a mailed code has. */
  readonly codeLength: number;
  /** How long an authorisation code may wait for its verifier. */
  readonly authCodeLifetime: number;
  /** How long a refresh token that was just exchanged is still honoured (a second tab, a lost answer). */
  readonly refreshReuseInterval: number;
  /** How long a session lasts whatever is done with it; 0: as long as it is refreshed. */
  readonly sessionTimebox: number;
  /** How long a session lasts without being refreshed; 0: for ever. */
  readonly sessionInactivityTimeout: number;
  /** What of the operator's is asked on the way. */
  readonly hooks: Partial<Readonly<Record<HookName, HookSettings>>>;
  /** How long a hook that could not be reached is left alone before it is tried again. */
  readonly hookPauseMs: number;
  /** Mails that the operator wrote, by the platform's names for them. */
  readonly mailOverrides: Readonly<Record<string, MailOverride | undefined>>;
  /** Changes that the owner of an account is mailed about. */
  readonly notices: readonly NoticeKind[];
  /** Mails about one kind of change to one address. */
  readonly noticesPerReceiver: RateLimit;
  /** One mail of a kind to an address within this time; 0 switches the limit off. */
  readonly mailFrequency: number;
  /** Mails that people ask for, of the whole installation: what its operator's mail server lets through. */
  readonly mailsSent: RateLimit;
  /** Mails of all kinds to one address. */
  readonly mailsPerReceiver: RateLimit;
  /** Mails that one network address asks for, within a short time and a long one. */
  readonly mailsPerSenderShort: RateLimit;
  readonly mailsPerSender: RateLimit;
  /** Mails that one network address asks for to one mailbox: fewer than the mailbox may get, so that its owner has some left. */
  readonly mailsPerSenderAndReceiver: RateLimit;
  /** Whether people sign up and in with a phone number. */
  readonly phoneEnabled: boolean;
  /** False signs people in at once, without asking them to prove that the number is theirs. */
  readonly confirmPhone: boolean;
  /** One text message of a kind to a number within this time; 0 switches the limit off. */
  readonly smsFrequency: number;
  /** Text messages of the whole installation: each costs its operator money. */
  readonly smsSent: RateLimit;
  readonly smsPerReceiver: RateLimit;
  /** Text messages that one network address asks for: to anybody, and to one number. */
  readonly smsPerSender: RateLimit;
  readonly smsPerSenderAndReceiver: RateLimit;
  /** The text, with `{{ .Code }}` in it. */
  readonly smsTemplate: GoTemplate;
  /** How many digits a code has, and how many seconds it stays good. */
  readonly smsCodeLength: number;
  readonly smsCodeLifetime: number;
  readonly smsTestCodes: SmsTestCodes;
  /** Who sends text messages; undefined: the texter of the service, unless a hook does. */
  readonly twilio: TwilioSettings | undefined;
  /** How long an answer waits for the mail server before the mail goes on leaving in the background. */
  readonly mailWaitMs: number;
  /**
   * Requests that may mail, and refused passwords and codes, are answered at multiples of this time, longer than a mail is waited for; 0 switches
   * that off.
   */
  readonly answerStepMs: number;
  /** Renewals of sessions that one network address asks for. */
  readonly refreshesPerAddress: RateLimit;
  /** Calls of one address to each of sign-up, token (renewals aside), recover, resend, otp, verify. */
  readonly requestsPerAddress: RateLimit;
  /** Whether people add providers to their accounts, and give up ways in, where a provider is offered at all. */
  readonly manualLinkingEnabled: boolean;
  /** Whether a visitor may have an account before saying who he or she is. */
  readonly anonymousSignInsEnabled: boolean;
  /** Accounts without an address that one network address opens. */
  readonly anonymousSignInsPerAddress: RateLimit;
  /** Whether programs may ask people to let them act (OAuth 2.1). */
  readonly oauthServerEnabled: boolean;
  /** Whether programs register themselves; otherwise an operator registers them. */
  readonly oauthDynamicRegistration: boolean;
  /** The page below `siteUrl` on which a person answers a program. */
  readonly oauthConsentPath: string;
  /** How long a person may take to answer. */
  readonly oauthAuthorizationLifetime: number;
  /** Programs that one network address registers. */
  readonly oauthRegistrationsPerAddress: RateLimit;
  /** Wrong passwords for one account: from each browser that has signed in to it, and from all others together. */
  readonly failedPasswordsPerAccount: RateLimit;
  /** Wrong links and codes from one address. A code has a limit of its own: five attempts, whoever makes them. */
  readonly failedVerificationsPerAddress: RateLimit;
  /** Second factors that an account may have, those that were begun among them. */
  readonly maxEnrolledFactors: number;
  /** Whether people add authenticator apps, and whether codes of theirs are taken. */
  readonly totpEnrollEnabled: boolean;
  readonly totpVerifyEnabled: boolean;
  /** The same for security keys and what a device unlocks itself with. Off as on the platform. */
  readonly webAuthnEnrollEnabled: boolean;
  readonly webAuthnVerifyEnabled: boolean;
  /** The same for codes that are texted to a phone. Off as on the platform. */
  readonly phoneFactorEnrollEnabled: boolean;
  readonly phoneFactorVerifyEnabled: boolean;
  /** How many digits such a code has, the text with `{{ .Code }}` in it, and one text for a factor within this time; 0 switches that off. */
  readonly phoneFactorCodeLength: number;
  readonly phoneFactorTemplate: GoTemplate;
  readonly phoneFactorFrequency: number;
  /** Whether people sign in with passkeys, in place of a password. */
  readonly passkeysEnabled: boolean;
  /** The host that passkeys and security keys are for, and what it is called; undefined: that of `siteUrl`. */
  readonly webAuthnRpId: string | undefined;
  readonly webAuthnRpName: string | undefined;
  /** Pages that may ask for them beside those of `siteUrl`. */
  readonly webAuthnOrigins: readonly string[];
  /** How long a code, or the answer of an authenticator, may be waited for once it was asked for. */
  readonly factorChallengeLifetime: number;
  /** How long whoever has lost every second factor waits until they may be taken away. */
  readonly factorResetWait: number;
  /** Wrong codes for an account's second factors, whichever of them and from wherever, within a short time and a long one. */
  readonly failedFactorsShort: RateLimit;
  readonly failedFactorsPerDay: RateLimit;
  /** Providers to sign in with and to link to accounts, by name; undefined: not offered. */
  readonly signInProviders: Settings['signInProviders'];
  /** How organisations sign their people in (SAML 2.0); undefined: they do not. */
  readonly saml: SamlSettings | undefined;
  /** Asked before accounts are opened, passwords tried and mails sent; undefined: nothing is asked. */
  readonly captcha: CaptchaSettings | undefined;
  readonly passwordHashing: PasswordHashing;
};

export type PasswordHashing = {
  /** Passwords hashed at the same time, and how many may wait for their turn. */
  readonly atOnce: number;
  readonly waiting: number;
  /** What each costs: argon2id's memory, and how often it goes over that. By default OWASP's first recommendation. */
  readonly memoryKiB: number;
  readonly passes: number;
};

const SMS_TEMPLATE = parseGoTemplate('{{ .Code }} é o seu código da Linkoteca', {
  as: 'text',
  variables: ['Code'],
});

/** What an installation gets that says nothing but where it lives. */
export const DEFAULT_AUTH_SETTINGS: Omit<AuthSettings, 'siteUrl'> = {
  redirectAllowList: [],
  accessTokenLifetime: 3600,
  signUpEnabled: true,
  confirmEmail: true,
  secureEmailChange: true,
  passwordChangeFreshness: RECENT_SIGN_IN_SECONDS,
  passwordMinLength: 6,
  passwordCharacters: [],
  mailedTokenLifetime: 3600,
  codeLength: 6,
  authCodeLifetime: 300,
  refreshReuseInterval: 10,
  sessionTimebox: 0,
  sessionInactivityTimeout: 0,
  hooks: {},
  hookPauseMs: 2000,
  mailOverrides: {},
  notices: [],
  noticesPerReceiver: { points: 20, seconds: DAY },
  mailFrequency: 60,
  mailsSent: { points: 0, seconds: 0 },
  mailsPerReceiver: { points: 20, seconds: DAY },
  mailsPerSenderShort: { points: 200, seconds: 60 },
  mailsPerSender: { points: 2000, seconds: DAY },
  mailsPerSenderAndReceiver: { points: 10, seconds: DAY },
  phoneEnabled: false,
  confirmPhone: true,
  smsFrequency: 60,
  smsSent: { points: 30, seconds: 3600 },
  smsPerReceiver: { points: 10, seconds: DAY },
  smsPerSender: { points: 20, seconds: DAY },
  smsPerSenderAndReceiver: { points: 5, seconds: DAY },
  smsTemplate: SMS_TEMPLATE,
  smsCodeLength: 6,
  smsCodeLifetime: 300,
  smsTestCodes: { codes: {}, until: undefined },
  twilio: undefined,
  mailWaitMs: 150,
  answerStepMs: 200,
  refreshesPerAddress: { points: 300, seconds: 300 },
  requestsPerAddress: { points: 300, seconds: 300 },
  manualLinkingEnabled: true,
  anonymousSignInsEnabled: false,
  anonymousSignInsPerAddress: { points: 30, seconds: 3600 },
  oauthServerEnabled: true,
  oauthDynamicRegistration: false,
  oauthConsentPath: '/oauth/consent',
  oauthAuthorizationLifetime: 600,
  oauthRegistrationsPerAddress: { points: 20, seconds: 3600 },
  failedPasswordsPerAccount: { points: 10, seconds: 300 },
  failedVerificationsPerAddress: { points: 30, seconds: 300 },
  maxEnrolledFactors: 10,
  totpEnrollEnabled: true,
  totpVerifyEnabled: true,
  webAuthnEnrollEnabled: false,
  webAuthnVerifyEnabled: false,
  phoneFactorEnrollEnabled: false,
  phoneFactorVerifyEnabled: false,
  phoneFactorCodeLength: 6,
  phoneFactorTemplate: SMS_TEMPLATE,
  phoneFactorFrequency: 60,
  passkeysEnabled: true,
  webAuthnRpId: undefined,
  webAuthnRpName: undefined,
  webAuthnOrigins: [],
  factorChallengeLifetime: 300,
  factorResetWait: 3 * DAY,
  failedFactorsShort: { points: 5, seconds: 300 },
  failedFactorsPerDay: { points: 20, seconds: DAY },
  signInProviders: {},
  saml: undefined,
  captcha: undefined,
  passwordHashing: { atOnce: 2, waiting: 200, memoryKiB: 19_456, passes: 2 },
};
