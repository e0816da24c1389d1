import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { Registry } from 'prom-client';
import { createPageReader } from './create-page-reader.ts';
import { describeDatabaseUrl } from './describe-database-url.ts';
import { findOwnUrl } from './find-own-url.ts';
import type { ServiceAccount } from './give-up-root.ts';
import type { Database } from './kernel/database.ts';
import { createGateway, type GatewayDeps } from './kernel/gateway/create-gateway.ts';
import type { RegisterPages } from './kernel/gateway/register-web-app.ts';
import { isAccountOpen } from './kernel/is-account-open.ts';
import type { Keyring } from './kernel/keyring.ts';
import type { Mailer } from './kernel/mail.ts';
import type { Payments } from './kernel/resolve-payments.ts';
import type { Settings } from './kernel/settings.ts';
import type { Texter } from './kernel/text-messages.ts';
import { describePayments } from './payments/describe-payments.ts';
import { openPaymentEmulator, registerPaymentEmulator } from './payments/payment-emulator.ts';
import { registerPaymentMetrics } from './payments/payment-metrics.ts';
import { previewMails } from './preview-mails.ts';
import { FUNCTION_SOURCES } from './project-folders.ts';
import {
  type InstallationMetricsDeps,
  registerInstallationMetrics,
} from './register-installation-metrics.ts';
import { createApiService } from './services/api/create-api-service.ts';
import { type AuthSettings, DEFAULT_AUTH_SETTINGS } from './services/auth/auth-settings.ts';
import { createAuthService } from './services/auth/create-auth-service.ts';
import { registerDiscovery } from './services/auth/oauth-server/register-discovery.ts';
import { exchangePersonalTokens } from './services/auth/personal-tokens/exchange-tokens.ts';
import { createFunctionsService } from './services/functions/create-functions-service.ts';
import { openFunctions } from './services/functions/open-functions.ts';
import { createMcpService } from './services/mcp/create-mcp-service.ts';
import { createPagesService } from './services/pages/create-pages-service.ts';
import { createSiteService } from './services/pages/create-site-service.ts';
import { createPagePainter } from './services/pages/image/create-page-painter.ts';
import { loadPageRenderer } from './services/pages/load-page-renderer.ts';
import { loadSitePages } from './services/pages/site/load-site-pages.ts';
import { createRealtimeService } from './services/realtime/create-realtime-service.ts';
import { openRealtimeParts } from './services/realtime/open-realtime-parts.ts';
import { createRestService } from './services/rest/create-rest-service.ts';
import type { BlobStore } from './services/storage/blobs/blob-store.ts';
import { createStorageService } from './services/storage/create-storage-service.ts';
import { DEFAULT_STORAGE_SETTINGS } from './services/storage/storage-deps.ts';

/** Everything the server is made of. */
export type AppDeps = Omit<GatewayDeps, 'settings' | 'anonKey' | 'pools' | 'previewMails'> & {
  readonly settings: Settings;
  /** For the table API, files, live channels and functions. */
  readonly db: Database;
  /** For sign-in and pages. */
  readonly reserved: Database;
  /** For metrics. */
  readonly probes: Database;
  /** What the metrics say of the installation. */
  readonly installation: Omit<InstallationMetricsDeps, 'db' | 'now'>;
  readonly keyring: Keyring;
  readonly mailer: Mailer;
  /** For text messages that nobody sends. */
  readonly texter: Texter;
  readonly now: () => Date;
  readonly payments: Payments;
  /** Where the bytes of files lie. */
  readonly blobs: BlobStore;
  /** How the change feed logs in to the database. */
  readonly replication: pg.ClientConfig;
  /** What the server goes on as when root has started it. */
  readonly account?: ServiceAccount | undefined;
  /** The variables of the environment: functions see those that `supabase/config.toml` lists. */
  readonly environment: Readonly<Record<string, string | undefined>>;
};

/** What `/metrics` shows: services and jobs add theirs. */
export const createMetrics = (): Registry => new Registry();

/** Wires the gateway and the services together. Nothing listens yet; closing ends what the services have opened. */
export async function createApp(deps: AppDeps): Promise<FastifyInstance> {
  const { settings, db, reserved, keyring, mailer, texter, now, logger, metrics } = deps;
  const { anonKey } = keyring;
  const { webFolder } = deps;
  const authSettings = toAuthSettings(settings);
  const registerPages = await openPages({ ...settings, webFolder, db: reserved, anonKey });
  const app = await createGateway({
    ...deps,
    pools: [db, reserved],
    anonKey,
    registerPages,
    previewMails: () => previewMails(authSettings, now()),
  });
  exchangePersonalTokens(app, { db: reserved, keyring, now, logger, settings: authSettings });
  await app.register(
    createAuthService({ db: reserved, keyring, mailer, texter, now, logger, settings: authSettings }),
    { prefix: '/auth/v1' },
  );
  registerDiscovery(app, authSettings);
  await app.register(createMcpService({ db, keyring, now, settings: authSettings }));
  const readPage = createPageReader({ server: app.server, keyring, now });
  await app.register(createApiService({ db, keyring, now, readPage, webFolder, settings: authSettings }));
  await app.register(createRestService({ db, keyring, now, logger, sources: settings.rest }), {
    prefix: '/rest/v1',
  });
  await app.register(
    createStorageService({
      db,
      keyring,
      blobs: deps.blobs,
      now,
      logger,
      settings: {
        ...DEFAULT_STORAGE_SETTINGS,
        filesUrl: settings.filesUrl,
        s3Enabled: settings.s3Protocol !== undefined,
        s3Keys: settings.s3Protocol?.keys,
      },
      metrics,
    }),
    { prefix: '/storage/v1' },
  );
  registerPaymentMetrics(metrics, { db: deps.probes, now });
  registerInstallationMetrics(metrics, { ...deps.installation, db: deps.probes, now });
  const realtime = openRealtimeParts({ db, replication: deps.replication, logger, now, metrics });
  app.addHook('onClose', realtime.stop);
  await app.register(
    createRealtimeService({ ...realtime, keyring, now, logger, metrics, trustProxy: settings.trustProxy }),
    {
      prefix: '/realtime/v1',
    },
  );
  const functions = openFunctions({
    ...FUNCTION_SOURCES,
    folder: settings.functionsFolder,
    configPath: join(settings.functionsFolder, '../config.toml'),
    // What is not set has a value all the same.
    environment: () => ({
      ...deps.environment,
      SITE_URL: settings.siteUrl,
      MAIL_FROM: settings.mailFrom,
      ADMIN_USER_ID: settings.adminUserId,
      REDIRECT_ALLOW_LIST: settings.redirectAllowList.join(','),
      ...describePayments(deps.payments, findOwnUrl(app.server) ?? settings.siteUrl),
    }),
    platform: () => ({
      SUPABASE_URL: findOwnUrl(app.server) ?? settings.siteUrl,
      SUPABASE_ANON_KEY: keyring.anonKey,
      SUPABASE_SERVICE_ROLE_KEY: keyring.serviceRoleKey,
      SUPABASE_PUBLISHABLE_KEYS: nameKeys(keyring.apiKeys.publishable),
      SUPABASE_SECRET_KEYS: nameKeys(keyring.apiKeys.secret),
      SUPABASE_DB_URL: describeDatabaseUrl(db.pool.options, settings.databaseUrl),
    }),
    reload: settings.functionsReload,
    serverAccount: deps.account,
    logger,
    metrics,
  });
  await app.register(
    createFunctionsService({
      keyring,
      now,
      functions,
      isAccountOpen: (caller) => isAccountOpen(db, caller),
    }),
    { prefix: '/functions/v1' },
  );
  if (deps.payments.isEmulated) {
    const { payments, operator } = deps;
    const { siteUrl } = settings;
    const ownUrl = () => findOwnUrl(app.server);
    registerPaymentEmulator(app, {
      emulator: openPaymentEmulator({ payments, db, siteUrl, ownUrl, now, logger }),
      siteUrl,
      operator,
    });
  }
  return app;
}

/** As the hosted platform tells functions their keys; the one that is told elsewhere is `default`. */
function nameKeys(keys: readonly string[]): string {
  return JSON.stringify(
    Object.fromEntries(keys.map((key, at) => [at === 0 ? 'default' : `key_${at + 1}`, key])),
  );
}

function toAuthSettings({
  siteUrl,
  redirectAllowList,
  signInProviders,
  captcha,
  auth,
}: Settings): AuthSettings {
  return { ...DEFAULT_AUTH_SETTINGS, ...auth, siteUrl, redirectAllowList, signInProviders, captcha };
}

type PagesDeps = {
  /** What the web app's build wrote. */
  readonly webFolder: string;
  readonly db: Database;
  readonly siteUrl: string;
  readonly supportEmail: string;
  readonly anonKey: string;
};

/** The pages that need no app: those of the site itself, and public categories. Undefined where the app was not built. */
async function openPages(deps: PagesDeps): Promise<RegisterPages | undefined> {
  const { webFolder, db, siteUrl, supportEmail, anonKey } = deps;
  const sitePages = loadSitePages(webFolder, { origin: new URL(siteUrl).origin, supportEmail });
  const drawing = await loadPageRenderer(webFolder);
  const services = [
    ...(sitePages === null ? [] : [createSiteService({ pages: sitePages, siteUrl })]),
    ...(drawing === null
      ? []
      : [createPagesService({ ...drawing, db, siteUrl, anonKey, paint: createPagePainter() })]),
  ];
  if (services.length === 0) return undefined;
  return async (scope, sendApp) => {
    for (const register of services) await register(scope, sendApp);
  };
}
