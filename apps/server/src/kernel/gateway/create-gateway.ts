import type { Socket } from 'node:net';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  LogController,
} from 'fastify';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Database } from '../database.ts';
import type { Health, HealthReport } from '../health/create-health.ts';
import type { Keyring } from '../keyring.ts';
import type { Mail } from '../mail.ts';
import { networkOf } from '../networks.ts';
import type { RightsWatch } from '../rights-watch.ts';
import type { Settings } from '../settings.ts';
import { keepsTexts } from '../text-messages.ts';
import { answerError } from './answer-error.ts';
import { answerUnknownPath, findService } from './answer-unknown-path.ts';
import { registerBodyTimeout } from './body-timeout.ts';
import { endIdleConnections } from './end-idle-connections.ts';
import { exchangeApiKeys } from './exchange-api-keys.ts';
import type { OperatorAccess } from './operator-access.ts';
import { registerCors } from './register-cors.ts';
import { registerDevMail } from './register-dev-mail.ts';
import { registerMetrics } from './register-metrics.ts';
import { type RegisterPages, registerWebApp } from './register-web-app.ts';
import { refuseChangedRights, serveFilesApart } from './serve-files-apart.ts';

export type GatewayDeps = {
  readonly settings: Pick<Settings, 'siteUrl' | 'trustProxy' | 'metricsAccess' | 'smtpUrl'> &
    Partial<
      Pick<
        Settings,
        | 'filesUrl'
        | 'supportEmail'
        | 'mailDomain'
        | 'signInProviders'
        | 'captcha'
        | 'stripe'
        | 'linkChecks'
        | 'webhooks'
        | 'extensionClientId'
        | 'auth'
      >
    >;
  readonly health: Health;
  /** Whose connections the metrics count. */
  readonly pools?: readonly Database[];
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly anonKey: string;
  /** Knows publishable and secret keys, and third parties; where it is left out, there are none. */
  readonly keyring?: Pick<Keyring, 'exchangeApiKey' | 'prepare'>;
  /** Who may see mails and metrics. */
  readonly operator: OperatorAccess;
  /** Whether the database still lets people do what the migrations say; where it is left out, nobody asks. */
  readonly rights?: Pick<RightsWatch, 'difference'>;
  /** What the web app's build wrote; the server also runs without. */
  readonly webFolder: string;
  /** Pages that are drawn here rather than by the web app. */
  readonly registerPages?: RegisterPages | undefined;
  /** Where mails are kept when no mail server is set. */
  readonly mailFolder: string;
  /** Every mail of the installation, by name, for whoever writes them. */
  readonly previewMails?: () => Readonly<Record<string, Mail>>;
};

/** JSON bodies; a service that takes files raises it for its own routes. */
const BODY_LIMIT_BYTES = 1_048_576;
/** A client that sends its request more slowly than this is cut off. */
const HEADERS_TIMEOUT_MS = 10_000;
const BODY_TIMEOUT = { wholeMs: 30_000, pauseMs: 30_000 };
/** The last bound of all, for the largest file over a slow line. */
const REQUEST_TIMEOUT_MS = 3_600_000;
const KEEP_ALIVE_TIMEOUT_MS = 72_000;
const TIMEOUT_CHECK_MS = 2_000;
/** Of one network: more than its share of the sockets, and what a school's browsers open beside them. */
const MAX_CONNECTIONS = 4_000;
/** The longest path segment that reaches a route; a longer one is unknown, not an error. */
const MAX_PARAMETER_LENGTH = 2_000;

/**
 * Everything in front of and around the services: limits, headers, logs, metrics, health, client settings, mails and
 * the web app. Nothing listens yet. Register the services on what it returns.
 */
export async function createGateway(deps: GatewayDeps): Promise<FastifyInstance> {
  const { settings, health } = deps;
  const app = createServer(deps);
  logRequests(app);
  await registerCors(app);
  protectServices(app);
  if (deps.rights) refuseChangedRights(app, deps.rights);
  if (settings.filesUrl !== undefined) serveFilesApart(app, settings.filesUrl);
  if (deps.keyring) {
    exchangeApiKeys(app, deps.keyring);
    prepareTokens(app, deps.keyring);
  }
  drainOversizedBodies(app);
  registerBodyTimeout(app, BODY_TIMEOUT);
  endIdleConnections(app);
  if (!settings.trustProxy) limitConnections(app, MAX_CONNECTIONS);
  registerMetrics(app, {
    registry: deps.metrics,
    pools: deps.pools ?? [],
    access: settings.metricsAccess,
    operator: deps.operator,
    health,
  });
  registerHealth(app, health);
  registerClientSettings(app, deps);
  if (settings.smtpUrl === undefined || keepsTexts(settings.auth ?? {})) registerDevMail(app, deps);
  const sendPage = await registerWebApp(app, {
    webFolder: deps.webFolder,
    siteUrl: settings.siteUrl,
    captcha: settings.captcha?.provider,
    registerPages: deps.registerPages,
  });
  app.setNotFoundHandler((request, reply) => answerUnknownPath(request, reply, () => sendPage(reply)));
  return app;
}

function createServer({ logger, settings, rights }: GatewayDeps): FastifyInstance {
  const app: FastifyInstance = Fastify({
    loggerInstance: logger as FastifyBaseLogger,
    // Its own line is written by `logRequests`, without what must not be logged.
    logController: new LogController({ disableRequestLogging: true }),
    // One hop: the address our proxy saw. Whatever the caller wrote in front of it proves nothing.
    trustProxy: settings.trustProxy ? (_address, hop) => hop === 0 : false,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      // Whoever offers another protocol (curl: h2c) is answered in HTTP as if it had not.
      shouldUpgradeCallback: ({ url = '', headers }) =>
        findService(url) === 'realtime' &&
        headers.upgrade?.toLowerCase() === 'websocket' &&
        rights?.difference() === undefined,
    },
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH },
    // A stop waits for requests, not for idle connections that browsers keep open.
    forceCloseConnections: 'idle',
    // An address that cannot be decoded never reaches a route, nor the error handler below.
    frameworkErrors: (error, request, reply) => answerError(error, request, reply),
  });
  app.setErrorHandler<FastifyError>((error, request, reply) => answerError(error, request, reply));
  return app;
}

/** What the web app reads at its start: one build serves any deployment. Nothing here is secret. */
function registerClientSettings(app: FastifyInstance, { settings, anonKey }: GatewayDeps): void {
  const {
    siteUrl,
    supportEmail,
    mailDomain,
    signInProviders = {},
    captcha,
    stripe,
    linkChecks = true,
    webhooks = true,
  } = settings;
  // One flag a provider: `acmeEnabled`.
  const signIn = Object.entries(signInProviders).map(([name, own]) => [`${name}Enabled`, own !== undefined]);
  const body = {
    supabaseUrl: siteUrl,
    supabaseAnonKey: anonKey,
    supportEmail,
    ...Object.fromEntries(signIn),
    paymentsEmulated: stripe === undefined,
    // What the hosted platform has nobody for.
    publicPagesDrawn: true,
    personalTokens: true,
    oauthServer: settings.auth?.oauthServerEnabled !== false,
    securityKeys: settings.auth?.webAuthnEnrollEnabled === true,
    passkeys: settings.auth?.passkeysEnabled !== false,
    organisations: settings.auth?.saml !== undefined,
    phoneFactors: settings.auth?.phoneFactorEnrollEnabled === true,
    linkChecks,
    webhooks,
    ...(mailDomain === undefined ? {} : { mailDomain }),
    extensionClientId: settings.extensionClientId,
    ...(captcha ? { captcha: { provider: captcha.provider, siteKey: captcha.siteKey } } : {}),
  };
  app.get('/config.json', async (_request, reply) => reply.header('cache-control', 'no-cache').send(body));
}

/** The services answer data, never pages: whatever a browser makes of an answer, nothing in it may run or be framed. */
function protectServices(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (findService(request.url))
      reply
        .header('x-content-type-options', 'nosniff')
        .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
        .header('cross-origin-resource-policy', 'cross-origin');
    done();
  });
}

/** The keys of a third party are fetched before a service verifies a token of theirs. */
function prepareTokens(app: FastifyInstance, keyring: Pick<Keyring, 'prepare'>): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const token = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    const prepared = token === undefined ? undefined : keyring.prepare(token);
    if (prepared === undefined) done();
    else void prepared.then(() => done());
  });
}

const MAX_DRAINED_BYTES = 32 * 1024 * 1024;

/**
 * A client still sends while it is told that its body is too large (413). Up to 32 MiB the rest is taken and thrown away:
 * closing at once, as Fastify would, breaks its writing off before it reads the answer.
 */
function drainOversizedBodies(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    const isDrained =
      reply.statusCode === 413 && Number(request.headers['content-length']) <= MAX_DRAINED_BYTES;
    if (isDrained) reply.removeHeader('connection');
    done();
  });
}

/** One line a finished request. Its address goes through the logger's own redaction; headers and bodies are never logged. */
function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        method: request.method,
        url: request.url,
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime * 10) / 10,
        ip: request.ip,
      },
      'request',
    );
    done();
  });
}

/**
 * Closes the connections of one network beyond `most` at once: each costs a file descriptor, used or not. Behind a proxy all
 * come from the proxy, which has such a limit itself.
 */
export function limitConnections(app: FastifyInstance, most: number): void {
  const open = new Map<string, number>();
  app.server.on('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? '');
    const count = (open.get(network) ?? 0) + 1;
    open.set(network, count);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
    if (count > most) socket.destroy();
  });
}

/**
 * `/health/live` and `/health/ready` are asked by what runs the server and by what sends it requests, `/health` by whoever wants to know
 * whether the product works. They answer anybody, in time, and say nothing but a word.
 */
function registerHealth(app: FastifyInstance, health: Health): void {
  app.get('/health', async (_request, reply) => {
    const { status, reason } = { reason: undefined, ...(await health.whole()) };
    return answer(reply, status, reason === undefined ? { status } : { status, reason });
  });
  app.get('/health/ready', async (_request, reply) => send(reply, await health.ready()));
  app.get('/health/live', async (_request, reply) => send(reply, await health.live()));
  // Whoever keeps a connection open would learn too late that it leads to a server that is leaving.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (health.isDraining) reply.header('connection', 'close');
    done();
  });
}

function send(reply: FastifyReply, report: HealthReport): FastifyReply {
  return answer(reply, report.status, report);
}

function answer(reply: FastifyReply, status: HealthReport['status'], body: object): FastifyReply {
  return reply
    .code(status === 'ok' ? 200 : 503)
    .header('cache-control', 'no-store')
    .send(body);
}
