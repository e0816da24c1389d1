import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { asAuthAdmin } from '../../kernel/database.ts';
import type { Answer, AuthContext, AuthDeps, AuthRequest } from './auth-context.ts';
import { AuthError } from './auth-error.ts';
import { isOperator } from './authenticate.ts';
import { createBackground } from './background.ts';
import { verifyCaptcha } from './captcha.ts';
import { resealFactorSecrets } from './factors/reseal-secrets.ts';
import { createMailSender } from './mail-sender.ts';
import { createTemplatesElsewhere } from './mail-templates-elsewhere.ts';
import { purgePrograms } from './oauth-server/purge-programs.ts';
import { listOAuthRoutes } from './oauth-server/routes.ts';
import { createPasswordHasher } from './password-hasher.ts';
import { warnOfEndingSecrets } from './providers/ending-secrets.ts';
import { openProviders, PROVIDERS } from './providers/providers.ts';
import { createRateLimits } from './rate-limits.ts';
import { registerErrors } from './register-errors.ts';
import { listRoutes, type Route } from './routes.ts';
import { createServiceProvider } from './sso/service-provider.ts';
import { purgeExpired } from './stores/purge-expired.ts';
import { createTextSender } from './texts/text-sender.ts';

/** No honest request of this service comes near: a person's data is limited to 4 KiB. */
const MAX_BODY_BYTES = 1_048_576;

/**
 * The platform's authentication service (GoTrue) over our own database: register the result under `/auth/v1`.
 * The address that rate limits count is `request.ip`: whether a proxy's word is taken for it is the server's
 * `trustProxy` option, off unless the operator says otherwise.
 */
export function createAuthService(deps: AuthDeps): FastifyPluginAsync {
  return async function authService(server) {
    const { settings, mailer, logger } = deps;
    const context: AuthContext = {
      ...deps,
      saml: await createServiceProvider(settings),
      providers: openProviders(deps.providerTable ?? PROVIDERS, settings.signInProviders, deps.now),
      passwords: await createPasswordHasher(settings.passwordHashing),
      limits: createRateLimits(settings, deps),
      background: createBackground(logger),
      mailSender: createMailSender(mailer, settings.mailWaitMs, logger),
      textSender: createTextSender(deps),
      templates: createTemplatesElsewhere({ ...deps, siteUrl: settings.siteUrl }),
    };
    const routes = [...listRoutes(settings), ...(settings.oauthServerEnabled ? listOAuthRoutes() : [])];
    readBodiesAsJson(server);
    registerErrors(server, routes);
    for (const route of routes) registerRoute(server, context, route);
    const stopPurge = schedulePurge(deps);
    void resealSecrets(deps);
    const stopWarnings = warnOfEndingSecrets(context);
    server.addHook('onClose', async () => {
      stopPurge();
      stopWarnings();
      const { mailSender, textSender, background } = context;
      await Promise.all([mailSender, textSender, background].map((work) => work.settle()));
    });
  };
}

function registerRoute(server: FastifyInstance, context: AuthContext, route: Route): void {
  server.route({
    method: route.method,
    url: route.path,
    bodyLimit: MAX_BODY_BYTES,
    // A link checker's HEAD must not use a mailed link up.
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const taken = toAuthRequest(request);
      if (!isOperator(context, taken)) {
        const limit = typeof route.limit === 'function' ? route.limit(taken) : route.limit;
        if (limit) await context.limits.countRequest(limit, taken.ip);
        if (route.captcha?.(taken)) await verifyCaptcha(context, taken);
      }
      return send(reply, await route.operation(context, taken));
    },
  });
}

/** Bodies are JSON whatever their content type says, as for the platform. An empty one is none. */
function readBodiesAsJson(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MAX_BODY_BYTES }, (request, raw, done) => {
    const text = raw.toString();
    if (text.trim() === '') return done(null, undefined);
    // What browsers post by themselves, a provider's answer (OAuth 2.0 Form Post Response Mode) or a form that leads to it; and what
    // programs post (RFC 6749, section 4.1.3).
    if (
      /\/(?:callback|authorize|oauth\/token|oauth\/revoke|sso\/saml\/acs)$/.test(
        request.routeOptions.url ?? '',
      ) &&
      !text.trimStart().startsWith('{')
    )
      return done(null, Object.fromEntries(new URLSearchParams(text)));
    try {
      done(null, JSON.parse(text));
    } catch (cause) {
      done(new AuthError('bad_json', { cause }), undefined);
    }
  });
}

function toAuthRequest(request: FastifyRequest): AuthRequest {
  const query = takeFirstValues(request.query);
  const params = takeFirstValues(request.params);
  const fault =
    findBodyFault(request.body) ??
    [...Object.values(query), ...Object.values(params)].map(findTextFault).find(Boolean);
  if (fault)
    throw new AuthError('validation_failed', {
      message: `The request contains ${fault}, which cannot be stored`,
    });
  return { body: request.body, query, params, headers: request.headers, ip: request.ip };
}

function takeFirstValues(values: unknown): Record<string, string> {
  if (typeof values !== 'object' || values === null) return {};
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, String(Array.isArray(value) ? value[0] : value)]),
  );
}

function send(reply: FastifyReply, { status = 200, headers = {}, body }: Answer): FastifyReply {
  reply.code(status).headers(headers);
  // Sessions and accounts are for the one who asked.
  if (reply.getHeader('cache-control') === undefined) reply.header('cache-control', 'no-store');
  return reply.send(body);
}

/** Before every id. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

const EVERY_MS = 3_600_000;

/** Where the installation's secrets are being rotated, the start is when the last thing that hangs on the old one moves to the new one. */
async function resealSecrets({ db, keyring, logger }: AuthDeps): Promise<void> {
  try {
    for (let after: string | undefined = FIRST_ID; after !== undefined; ) {
      const from: string = after;
      after = await asAuthAdmin(db, 'seal secrets anew', (tx) =>
        resealFactorSecrets(tx, keyring.factorSecrets, from),
      );
    }
  } catch (err) {
    logger.warn({ err }, 'auth: the secrets of second factors could not be sealed anew');
  }
}

/** Sweeps used-up tokens out once an hour; the process may end without waiting for it. @returns stops the sweeping */
function schedulePurge({ db, settings, now, logger }: AuthDeps): () => void {
  const timer = setInterval(() => {
    asAuthAdmin(db, 'purge expired tokens', async (tx) => {
      await purgeExpired(tx, settings, now());
      await purgePrograms(tx, now());
    }).catch((err: unknown) => logger.warn({ err }, 'auth: expired tokens could not be purged'));
  }, EVERY_MS).unref();
  return () => clearInterval(timer);
}

/** Why Postgres could not keep a JSON value: its text cannot hold NUL or half a surrogate pair, nor nest without end. */
type BodyFault = 'a NUL character' | 'half a surrogate pair' | 'too many levels';

const MAX_DEPTH = 32;

/** Walks with a list of its own instead of recursion: a body of a million brackets must not exhaust the stack. */
function findBodyFault(body: unknown): BodyFault | undefined {
  const pending: { value: unknown; depth: number }[] = [{ value: body, depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, depth } = next;
    const fault = typeof value === 'string' ? findTextFault(value) : undefined;
    if (fault) return fault;
    if (typeof value !== 'object' || value === null) continue;
    if (depth === MAX_DEPTH) return 'too many levels';
    for (const [key, inner] of Object.entries(value)) {
      const keyFault = findTextFault(key);
      if (keyFault) return keyFault;
      pending.push({ value: inner, depth: depth + 1 });
    }
  }
  return undefined;
}

function findTextFault(value: string): BodyFault | undefined {
  if (value.includes('\u0000')) return 'a NUL character';
  return value.isWellFormed() ? undefined : 'half a surrogate pair';
}
