import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../kernel/database.ts';
import type { Keyring } from '../../kernel/keyring.ts';
import type { Mailer } from '../../kernel/mail.ts';
import type { Texter } from '../../kernel/text-messages.ts';
import type { AuthSettings } from './auth-settings.ts';
import type { Background } from './background.ts';
import type { MailSender } from './mail-sender.ts';
import type { TemplatesElsewhere } from './mail-templates-elsewhere.ts';
import type { PasswordHasher } from './password-hasher.ts';
import type { ProviderDefinition } from './providers/provider.ts';
import type { Providers } from './providers/providers.ts';
import type { RateLimits } from './rate-limits.ts';
import type { ServiceProvider } from './sso/service-provider.ts';
import type { TextSender } from './texts/text-sender.ts';

/** What the service is built from. */
export type AuthDeps = {
  readonly db: Database;
  readonly keyring: Keyring;
  readonly mailer: Mailer;
  /** Takes the text messages for which the settings name no provider. */
  readonly texter: Texter;
  readonly settings: AuthSettings;
  /** The product's own table, unless a test adds to it. */
  readonly providerTable?: readonly ProviderDefinition[];
  readonly now: () => Date;
  readonly logger: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;
};

/** What every operation is given. */
export type AuthContext = AuthDeps & {
  readonly passwords: PasswordHasher;
  readonly mailSender: MailSender;
  readonly textSender: TextSender;
  readonly templates: TemplatesElsewhere;
  readonly limits: RateLimits;
  readonly background: Background;
  readonly providers: Providers;
  /** Undefined where organisations do not sign people in. */
  readonly saml: ServiceProvider | undefined;
};

/** A request with its transport taken off. */
export type AuthRequest = {
  /** Parsed JSON, undefined when there was none. Free of what Postgres text cannot hold. */
  readonly body: unknown;
  /** The first value of each query parameter. */
  readonly query: Readonly<Record<string, string>>;
  readonly params: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  readonly ip: string;
};

/** 200 unless it says otherwise; no body when `body` is undefined. */
export type Answer = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
};

/** One endpoint. It answers, or throws an `AuthError` or `OAuthError`. */
export type Operation = (context: AuthContext, request: AuthRequest) => Promise<Answer>;
