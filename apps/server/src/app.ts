import type { FastifyInstance } from 'fastify';
import { createGateway, type GatewayDeps } from './kernel/gateway/create-gateway.ts';
import type { Keyring } from './kernel/keyring.ts';
import type { Mailer } from './kernel/mail.ts';
import type { Settings } from './kernel/settings.ts';
import { type AuthSettings, DEFAULT_AUTH_SETTINGS } from './services/auth/auth-settings.ts';
import { createAuthService } from './services/auth/create-auth-service.ts';
import { createFunctionsService } from './services/functions/create-functions-service.ts';
import { listFunctions } from './services/functions/list-functions.ts';
import { createRestService } from './services/rest/create-rest-service.ts';

/** Everything the server is made of. */
export type AppDeps = Omit<GatewayDeps, 'settings' | 'anonKey'> & {
  readonly settings: Settings;
  readonly keyring: Keyring;
  readonly mailer: Mailer;
  readonly now: () => Date;
};

/** Wires the gateway and the services together. Nothing listens yet, and nothing is connected. */
export async function createApp(deps: AppDeps): Promise<FastifyInstance> {
  const { settings, db, keyring, mailer, now, logger } = deps;
  const app = await createGateway({ ...deps, anonKey: keyring.anonKey });
  await app.register(
    createAuthService({ db, keyring, mailer, now, logger, settings: toAuthSettings(settings) }),
    { prefix: '/auth/v1' },
  );
  await app.register(createRestService({ db, keyring, now, logger }), { prefix: '/rest/v1' });
  const functions = listFunctions({ logger });
  await app.register(createFunctionsService({ keyring, now, functions }), { prefix: '/functions/v1' });
  return app;
}

function toAuthSettings({ siteUrl, redirectAllowList }: Settings): AuthSettings {
  return { ...DEFAULT_AUTH_SETTINGS, siteUrl, redirectAllowList };
}
