import type { FastifyBaseLogger, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller, RequestContext } from '../../kernel/caller-context.ts';
import type { Database } from '../../kernel/database.ts';
import type { Keyring } from '../../kernel/keyring.ts';
import { isDatabaseUnavailable, logFailure } from '../../kernel/log-failure.ts';
import { SettingsError } from '../../kernel/parse-settings.ts';
import type { RestSources } from '../../kernel/settings.ts';
import { type ParsedRequest, parseRequest, type RawRequest } from './parse/parse-request.ts';
import { planRequest } from './plan/plan-request.ts';
import { settlePreferences } from './plan/settle-preferences.ts';
import { describeError } from './present/describe-error.ts';
import { presentDescription } from './present/present-description.ts';
import { presentResult } from './present/present-result.ts';
import { presentFailure, type RestResponse } from './present/rest-response.ts';
import { type Stopwatch, startStopwatch } from './present/server-timing.ts';
import { RestError, restError } from './rest-error.ts';
import { readPrivileges } from './run/read-privileges.ts';
import { runPlan } from './run/run-plan.ts';
import { createSchemaSource, type RestState } from './schema-cache/create-schema-source.ts';
import { listenForReload } from './schema-cache/listen-for-reload.ts';
import { createSettingsSource } from './settings/create-settings-source.ts';
import { knowCaller } from './settings/know-caller.ts';
import { endsInRollback, mayChooseEnd } from './settings/rest-settings.ts';
import { createStatementNames, type NameStatement } from './sql/name-statements.ts';

export type RestServiceDeps = {
  readonly db: Database;
  readonly keyring: Keyring;
  readonly sources: RestSources;
  readonly now: () => Date;
  readonly logger: FastifyBaseLogger;
};

const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'];

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the table API once it is known: its error handler asks whether the caller has a role. */
    restCaller: Caller | null;
    /** Measures the request where that is switched on. */
    restStopwatch: Stopwatch | null;
  }
}

/** The table API (`rest/v1`): PostgREST's protocol over the exposed schemas. */
export function createRestService(deps: RestServiceDeps): FastifyPluginAsync {
  const { db, keyring, now, logger } = deps;
  const readSettings = createSettingsSource(db, deps.sources, logger);
  const source = createSchemaSource(db, readSettings);
  const nameStatement = createStatementNames();

  return async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    app.addHook('onRequest', takeAnyType);
    app.decorateRequest('restCaller', null);
    app.decorateRequest('restStopwatch', null);
    app.setErrorHandler(answerError);
    app.route({ method: METHODS, url: '/', handler });
    app.route({ method: METHODS, url: '/*', handler });

    app.addHook('onReady', refuseBadSettings);
    app.addHook('onClose', listenForReload(db, source, logger));
  };

  /** Settings that cannot be followed end the start; a database that does not answer yet does not. */
  async function refuseBadSettings(): Promise<void> {
    await readSettings().catch((error: unknown) => {
      if (error instanceof SettingsError) throw error;
    });
  }

  async function handler(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const known = source.current();
    const state = known instanceof Promise ? await known.catch(failOnSchema) : known;
    const { serverTiming, traceHeader } = state.settings;
    if (serverTiming) request.restStopwatch = startStopwatch();
    const trace = traceHeader && request.headers[traceHeader];
    if (traceHeader && trace) reply.header(traceHeader, trace);
    const caller = knowCaller(keyring, request.headers, now(), state.settings);
    request.restStopwatch?.lap('jwt');
    request.restCaller = caller;
    const response = await answerRequest({ db, state, nameStatement }, request, caller);
    request.restStopwatch?.lap('response');
    return send(request, reply, response);
  }
}

/**
 * Fastify refuses what is no media type before a parser is asked, also of a DELETE: the type is for `parsePayload` to judge. What the
 * gateway has put in place of a header stays.
 */
function takeAnyType(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  const { headers } = request;
  if (headers['content-type'] !== undefined) request.headers = { ...headers, 'content-type': undefined };
  done();
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const caller = request.restCaller;
  const failure = describeError(error, caller !== null && caller.role !== 'anon');
  if (failure.status >= 500) logFailure(request, error, 'table API request failed');
  request.restStopwatch?.fail();
  return send(request, reply, presentFailure(failure));
}

/** By which headers of a request its answer may differ, unless a function says it (`response.headers`). */
const VARY = 'Accept, Prefer, Range';

/** Answers are a person's own: nothing in between may keep one, unless a function says how long (`response.headers`). */
function send(
  { restStopwatch }: FastifyRequest,
  reply: FastifyReply,
  { status, statusText, headers, body }: RestResponse,
): FastifyReply {
  if (restStopwatch !== null) reply.header('server-timing', restStopwatch.render());
  if (statusText !== undefined) reply.raw.statusMessage = statusText;
  // What the gateway says of it stays.
  const vary = [reply.getHeader('vary'), headers['vary'] ?? VARY].filter(Boolean).join(', ');
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .headers(headers)
    .header('vary', vary)
    .send(body);
}

type AnswerDeps = {
  readonly db: Database;
  readonly state: RestState;
  readonly nameStatement: NameStatement;
};

const NO_BODY = Buffer.alloc(0);

/** parse → plan → run → present. @throws RestError, or what the database threw. */
async function answerRequest(deps: AnswerDeps, http: FastifyRequest, caller: Caller): Promise<RestResponse> {
  const { db, state, nameStatement } = deps;
  const { settings, cache } = state;
  const raw = readRaw(http);
  const parsed = parseRequest(raw, settings.schemas);
  if (!parsed.ok) throw new RestError(parsed.failure);
  http.restStopwatch?.lap('parse');
  const settled = settlePreferences(cache, parsed.value);
  if (!settled.ok) throw new RestError(settled.failure);
  const request = mayChooseEnd(settings.txEnd) ? settled.value : withoutTx(settled.value);
  const { schema, namesSchema, preferences } = request;
  const plan = planRequest(cache, settings, request);
  if (!plan.ok) throw new RestError(plan.failure);
  http.restStopwatch?.lap('plan');
  const profile = settings.schemas.length > 1 || namesSchema ? schema : undefined;
  const context = {
    db,
    caller,
    request: toContext(raw, http.ip),
    nameStatement,
    schemaVersion: cache.version,
    searchPath: [schema, ...settings.extraSearchPath],
    preRequest: settings.preRequest,
    appSettings: settings.appSettings,
    rollsBack: endsInRollback(settings.txEnd, preferences.tx),
    timeZone: preferences.timeZone,
  };
  switch (plan.value.kind) {
    case 'options':
      return { status: 200, headers: { allow: plan.value.allow }, body: undefined };
    case 'description': {
      if (settings.openApiMode === 'disabled') throw new RestError(restError.noDescription());
      const privileges = await readPrivileges(context, schema, settings.openApiMode);
      http.restStopwatch?.lap('transaction');
      const { headersOnly } = plan.value;
      return presentDescription(cache, { schema, profile, privileges, headersOnly, ...settings });
    }
    default: {
      if (plan.value.weight.hasPattern && caller.role === 'anon')
        throw new RestError(restError.patternOfVisitor());
      const result = await runPlan(context, plan.value);
      http.restStopwatch?.lap('transaction');
      return presentResult(request, plan.value, result, profile);
    }
  }
}

/** Where the settings alone say how changes end, a request that asks otherwise is not told that it got what it asked for. */
function withoutTx(request: ParsedRequest): ParsedRequest {
  return { ...request, preferences: { ...request.preferences, tx: undefined } };
}

function failOnSchema(cause: unknown): never {
  if (isDatabaseUnavailable(cause)) throw new RestError(restError.schemaUnknown(), { cause });
  throw cause;
}

function readRaw(http: FastifyRequest): RawRequest {
  const { method, url, headers } = http.raw;
  const address = url ?? '/';
  const question = address.indexOf('?');
  const path = question === -1 ? address : address.slice(0, question);
  return {
    method: method ?? '',
    path: path.slice(http.routeOptions.url?.replace(/\/\*?$/, '').length ?? 0),
    queryString: question === -1 ? '' : address.slice(question + 1),
    headers,
    body: Buffer.isBuffer(http.body) ? http.body : NO_BODY,
  };
}

/**
 * What SQL reads as `request.method`, `request.path` and `request.headers`. Where the request comes from is what the gateway says of it:
 * what the caller wrote of that could be anything, and limits count by it (`private.request_network`).
 */
function toContext({ method, path, headers }: RawRequest, address: string): RequestContext {
  const { 'cf-connecting-ip': _claimed, ...others } = headers;
  // Node gives one string for every header but the few that may come several times.
  return {
    method,
    path,
    headers: { ...(others as Readonly<Record<string, string>>), 'x-forwarded-for': address },
  };
}
