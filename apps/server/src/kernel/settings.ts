import type { KeyObject } from 'node:crypto';
import type { ClaimPath } from './claim-path.ts';
import type { GoTemplate } from './go-template/parse-go-template.ts';
import type { ApiKeys } from './keys/api-keys.ts';
import type { SigningKey } from './keys/signing-key.ts';
import type { ThirdPartyIssuer } from './third-party/third-party-issuers.ts';

/** Everything an operator may set, parsed. One field for each entry of `setting-schema.ts`. */
export type Settings = {
  readonly port: number;
  /** `localhost` listens on both of its addresses, 127.0.0.1 and ::1. */
  readonly host: string;
  /** Where people open the product, without a slash at the end. */
  readonly siteUrl: string;
  /** The origin that has people's files and nothing else; undefined: they are given out beside everything else. */
  readonly filesUrl: string | undefined;
  /** Absolute. */
  readonly dataFolder: string;
  /** How long a start waits for another server to leave the data folder. */
  readonly dataFolderPatienceMs: number;
  /** An external Postgres; without it the server brings its own. */
  readonly databaseUrl: string | undefined;
  /** Where the embedded Postgres archives its write-ahead log, absolute, and for how many days; undefined: it does not. */
  readonly walArchive: { readonly folder: string; readonly days: number } | undefined;
  readonly poolSize: number;
  /** For how long requests are still answered after SIGTERM, while load balancers learn to go elsewhere. */
  readonly drainSeconds: number;
  /** The first signs, all verify; empty: the one in the data folder. */
  readonly jwtSecrets: readonly string[];
  /** The operator's own: the first signs, all verify; empty: the ones that follow from the secrets. */
  readonly signingKeys: readonly SigningKey[];
  /** The operator's own publishable and secret keys; a kind without any has those that follow from the secrets. */
  readonly apiKeys: ApiKeys;
  /** Whose tokens are accepted beside our own. */
  readonly thirdParties: readonly ThirdPartyIssuer[];
  readonly adminUserId: string | undefined;
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;
  /** Where links are received by mail: the domain of every secret address; undefined where that is off. */
  readonly mailDomain: string | undefined;
  /** Where people write to; the legal pages name it. */
  readonly supportEmail: string;
  /** Further addresses that links in mails may lead to. */
  readonly redirectAllowList: readonly string[];
  /** Whether to believe `X-Forwarded-For`: true only behind a proxy that sets it. */
  readonly trustProxy: boolean;
  /** Whether people may have their links looked at: the server then opens addresses by itself. */
  readonly linkChecks: boolean;
  /** Whether what happens in libraries is sent to people's webhooks. */
  readonly webhooks: boolean;
  /** The program (OAuth client) that the browser extension signs in as; undefined: people paste an id, or a token. */
  readonly extensionClientId: string | undefined;
  readonly metricsAccess: 'loopback' | 'everyone';
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
  readonly backup: BackupSettings;
  /** Absolute; a folder a function, and `config.toml` beside it. */
  readonly functionsFolder: string;
  /** Whether functions are read again when their code changes: for development. */
  readonly functionsReload: boolean;
  /** By the name of the provider; undefined: not offered. */
  readonly signInProviders: Readonly<Record<string, SignInProviderSettings | undefined>>;
  /** What the platform's own settings say of sign-in; what is not there stays as the service has it. */
  readonly auth: AuthConfig;
  /** Keys of `[auth]` that nobody knows, each with the one that was probably meant. */
  readonly unknownAuthKeys: readonly string[];
  /** What is said of the table API, before the database is asked. */
  readonly rest: RestSources;
  readonly stripe: StripeSettings | undefined;
  readonly captcha: CaptchaSettings | undefined;
  readonly s3: S3Settings | undefined;
  /** How files are reached by the S3 protocol; undefined: it is not spoken. */
  readonly s3Protocol: S3ProtocolSettings | undefined;
};

export type S3ProtocolSettings = {
  /** The operator's access key; undefined: sessions alone have one. */
  readonly keys: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
};

/** As in the settings of the authentication service (`services/auth/auth-settings.ts`). */
export type AuthConfig = Partial<{
  readonly accessTokenLifetime: number;
  readonly signUpEnabled: boolean;
  readonly passwordMinLength: number;
  readonly passwordCharacters: readonly PasswordCharacters[];
  readonly refreshReuseInterval: number;
  readonly confirmEmail: boolean;
  readonly secureEmailChange: boolean;
  readonly passwordChangeFreshness: number;
  readonly mailFrequency: number;
  readonly mailedTokenLifetime: number;
  readonly codeLength: number;
  readonly mailsSent: { readonly points: number; readonly seconds: number };
  readonly refreshesPerAddress: { readonly points: number; readonly seconds: number };
  readonly requestsPerAddress: { readonly points: number; readonly seconds: number };
  readonly failedVerificationsPerAddress: { readonly points: number; readonly seconds: number };
  readonly sessionTimebox: number;
  readonly sessionInactivityTimeout: number;
  readonly hooks: Partial<Readonly<Record<HookName, HookSettings>>>;
  readonly mailOverrides: Readonly<Record<string, MailOverride | undefined>>;
  readonly manualLinkingEnabled: boolean;
  readonly anonymousSignInsEnabled: boolean;
  readonly oauthServerEnabled: boolean;
  readonly oauthDynamicRegistration: boolean;
  readonly oauthConsentPath: string;
  readonly anonymousSignInsPerAddress: { readonly points: number; readonly seconds: number };
  readonly maxEnrolledFactors: number;
  readonly totpEnrollEnabled: boolean;
  readonly totpVerifyEnabled: boolean;
  readonly webAuthnEnrollEnabled: boolean;
  readonly webAuthnVerifyEnabled: boolean;
  readonly phoneFactorEnrollEnabled: boolean;
  readonly phoneFactorVerifyEnabled: boolean;
  readonly phoneFactorCodeLength: number;
  readonly phoneFactorTemplate: GoTemplate;
  readonly phoneFactorFrequency: number;
  readonly passkeysEnabled: boolean;
  readonly webAuthnRpId: string;
  readonly webAuthnRpName: string;
  readonly webAuthnOrigins: readonly string[];
  readonly phoneEnabled: boolean;
  readonly confirmPhone: boolean;
  readonly smsFrequency: number;
  readonly smsSent: { readonly points: number; readonly seconds: number };
  readonly smsTemplate: GoTemplate;
  readonly smsCodeLength: number;
  readonly smsCodeLifetime: number;
  readonly smsTestCodes: SmsTestCodes;
  readonly twilio: TwilioSettings;
  readonly saml: SamlSettings;
  readonly notices: readonly NoticeKind[];
}>;

/** Changes of an account that its owner may be mailed about. */
export type NoticeKind =
  | 'password_changed'
  | 'email_changed'
  | 'phone_changed'
  | 'identity_linked'
  | 'identity_unlinked'
  | 'mfa_factor_enrolled'
  | 'mfa_factor_unenrolled';

/** Numbers that are sent nothing, each with the code that is right for it. */
export type SmsTestCodes = {
  readonly codes: Readonly<Record<string, string>>;
  /** Undefined: for ever. */
  readonly until: Date | undefined;
};

/** Our account at Twilio, which sends text messages. */
export type TwilioSettings = {
  readonly accountSid: string;
  readonly authToken: string;
  /** A messaging service, or a number of ours. */
  readonly messageServiceSid: string;
  /** The template that WhatsApp asks for; empty: the text itself is sent. */
  readonly contentSid: string;
  /** Without a slash at the end; undefined: Twilio's own, unless a test lets somebody stand in for it. */
  readonly apiUrl?: string;
};

/** How organisations sign their people in. */
export type SamlSettings = {
  /** RSA: signs what we ask, and opens what is encrypted for us. */
  readonly privateKey: KeyObject;
  /** Seconds that a person may take at the identity provider. */
  readonly relayStateLifetime: number;
};

/** The hooks of the platform that are called here. */
export type HookName =
  | 'custom_access_token'
  | 'before_user_created'
  | 'after_user_created'
  | 'password_verification_attempt'
  | 'mfa_verification_attempt'
  | 'send_email'
  | 'send_sms';

/** Where a hook is: a function of the database, or an address that is told signed messages. */
export type HookSettings =
  | { readonly kind: 'function'; readonly schema: string; readonly name: string }
  | { readonly kind: 'http'; readonly url: string; readonly secrets: readonly Buffer[] };

/** What an operator wrote in place of a mail of ours; what is not there stays ours. */
export type MailOverride = {
  readonly subject?: GoTemplate;
  readonly content?: GoTemplate;
  /** Where the content is: an address, or the path of one at `SITE_URL`. It is read when it is needed. */
  readonly contentAddress?: string;
};
/** As in the settings of the table API (`services/rest/settings/rest-settings.ts`). */
export type RestConfig = Partial<{
  readonly schemas: readonly string[];
  readonly extraSearchPath: readonly string[];
  readonly maxRows: number;
  readonly aggregates: boolean;
  readonly plans: boolean;
  readonly serverTiming: boolean;
  readonly txEnd: 'commit' | 'commit-allow-override' | 'rollback' | 'rollback-allow-override';
  readonly preRequest: FunctionName;
  readonly openApiMode: 'follow-privileges' | 'ignore-privileges' | 'disabled';
  readonly openApiSecurity: boolean;
  readonly openApiAddress: URL;
  /** The name of a header, in lower case. */
  readonly traceHeader: string;
  readonly roleClaim: ClaimPath;
  readonly audience: string;
  /** What SQL reads as `current_setting('app.settings.…')`, by the whole name. */
  readonly appSettings: Readonly<Record<string, string>>;
}>;

/** A function of the database; without a schema it is looked for in the search path. */
export type FunctionName = { readonly schema: string | undefined; readonly name: string };

/** Where the settings of the table API come from: the file is the weakest, then what the database says, then variables. */
export type RestSources = {
  readonly file: RestConfig;
  readonly variables: RestConfig;
  readonly readsDatabase: boolean;
  /** A function that says settings as well, weaker than those of the role. */
  readonly preConfig?: FunctionName;
  /** Names of what is said and not followed. */
  readonly ignored: readonly string[];
};

/** A set of characters of which a password needs one. */
export type PasswordCharacters = 'letters' | 'lower' | 'upper' | 'digits' | 'symbols';

export type StripeSettings = {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Where the API is, without a slash at the end; undefined: the provider's own address. */
  readonly apiUrl: string | undefined;
  /** Price ids of the provider, by plan and period. */
  readonly prices: {
    readonly plusMonthly: string;
    readonly plusYearly: string;
    readonly proMonthly: string;
    readonly proYearly: string;
  };
};

/** Our registration at a provider that people sign in with. */
export type SignInProviderSettings = {
  /** The provider's own address, unless a test sets another one. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Our further registrations there (of phones' apps): ID tokens made for them are good as well. */
  readonly otherClientIds?: readonly string[];
  /** Where the provider sends people back to, where it is not our own address. */
  readonly redirectUri?: string;
  /** Whether ID tokens that clients bring are good without the nonce that they name. */
  readonly skipNonceCheck?: boolean;
};

export type CaptchaSettings = {
  readonly provider: 'hcaptcha' | 'turnstile';
  readonly siteKey: string;
  readonly secret: string;
  /** The provider's own, unless a test lets somebody stand in for it. */
  readonly verifyUrl: string;
};

export type S3Settings = {
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
};

export type BackupSettings = {
  /** A folder, absolute, or `s3:PREFIX`. */
  readonly to: string;
  /** Undefined: none by itself. */
  readonly everyMs: number | undefined;
  /** How many of those that were made by itself stay. */
  readonly keep: number;
  /** Undefined: not encrypted. */
  readonly passphrase: string | undefined;
  readonly beforeMigration: boolean;
};
