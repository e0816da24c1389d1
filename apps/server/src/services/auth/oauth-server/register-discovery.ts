import type { FastifyInstance } from 'fastify';
import type { AuthSettings } from '../auth-settings.ts';
import { describeServer } from './metadata.ts';

const NAMES = ['oauth-authorization-server', 'openid-configuration'];

/**
 * The same metadata where programs look first for a server whose name has a path (RFC 8414, section 3.1), outside the service's own prefix.
 * Pages of any origin may read it: it is the same for everybody.
 */
export function registerDiscovery(
  app: FastifyInstance,
  settings: Pick<AuthSettings, 'siteUrl' | 'oauthServerEnabled' | 'oauthDynamicRegistration'>,
): void {
  if (!settings.oauthServerEnabled) return;
  const body = describeServer(settings);
  for (const name of NAMES)
    app.get(`/.well-known/${name}/auth/v1`, async (_request, reply) =>
      reply
        .header('access-control-allow-origin', '*')
        .header('cache-control', 'public, max-age=600')
        .header('x-content-type-options', 'nosniff')
        .send(body),
    );
}
