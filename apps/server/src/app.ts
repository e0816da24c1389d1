import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { Registry } from 'prom-client';
import { describeDatabaseUrl } from './describe-database-url.ts';
import { describePayments } from './describe-payments.ts';
import { findOwnUrl } from './find-own-url.ts';
import type { ServiceAccount } from './give-up-root.ts';
import type { Database } from './kernel/database.ts';
import { createGateway, type GatewayDeps } from './kernel/gateway/create-gateway.ts';
import { isAccountOpen } from './kernel/is-account-open.ts';
import type { Keyring } from './kernel/keyring.ts';
import type { Mailer } from './kernel/mail.ts';
import type { Payments } from './kernel/resolve-payments.ts';
import type { Settings } from './kernel/settings.ts';
import { openPages } from './open-pages.ts';
import { openPaymentEmulator } from './open-payment-emulator.ts';
import { FUNCTION_SOURCES } from './project-folders.ts';
import {
  type InstallationMetricsDeps,
  registerInstallationMetrics,
} from './register-installation-metrics.ts';
import { registerPaymentEmulator } from './register-payment-emulator.ts';
import { registerPaymentMetrics } from './register-payment-metrics.ts';
import { type AuthSettings, DEFAULT_AUTH_SETTINGS } from './services/auth/auth-settings.ts';
import { createAuthService } from './services/auth/create-auth-service.ts';
import { createFunctionsService } from './services/functions/create-functions-service.ts';
import { openFunctions } from './services/functions/open-functions.ts';
import { createRealtimeService } from './services/realtime/create-realtime-service.ts';
import { openRealtimeParts } from './services/realtime/open-realtime-parts.ts';
import { createRestService } from './services/rest/create-rest-service.ts';
import type { BlobStore } from './services/storage/blobs/blob-store.ts';
import { createStorageService } from './services/storage/create-storage-service.ts';
import { DEFAULT_STORAGE_SETTINGS } from './services/storage/storage-deps.ts';

/** Everything the server is made of. */
export type AppDeps = Omit<GatewayDeps, 'settings' | 'anonKey' | 'metrics' | 'pools'> & {
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

/** Wires the gateway and the services together. Nothing listens yet; closing ends what the services have opened. */
export async function createApp(deps: AppDeps): Promise<FastifyInstance> {
  const { settings, db, reserved, keyring, mailer, now, logger } = deps;
  const metrics = new Registry();
  const { anonKey } = keyring;
  const { webFolder } = deps;
  const registerPages = await openPages({ ...settings, webFolder, db: reserved, anonKey });
  const app = await createGateway({
    ...deps,
    pools: [db, reserved],
    metrics,
    anonKey,
    registerPages,
  });
  await app.register(
    createAuthService({ db: reserved, keyring, mailer, now, logger, settings: toAuthSettings(settings) }),
    { prefix: '/auth/v1' },
  );
  await app.register(createRestService({ db, keyring, now, logger }), { prefix: '/rest/v1' });
  await app.register(
    createStorageService({
      db,
      keyring,
      blobs: deps.blobs,
      now,
      logger,
      settings: { ...DEFAULT_STORAGE_SETTINGS, filesUrl: settings.filesUrl },
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

function toAuthSettings({ siteUrl, redirectAllowList, google, captcha }: Settings): AuthSettings {
  return { ...DEFAULT_AUTH_SETTINGS, siteUrl, redirectAllowList, google, captcha };
}
