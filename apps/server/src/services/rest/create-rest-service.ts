import type { FastifyBaseLogger, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller, RequestContext } from '../../kernel/caller-context.ts';
import type { Database } from '../../kernel/database.ts';
import type { Keyring } from '../../kernel/keyring.ts';
import { isDatabaseUnavailable, logFailure } from '../../kernel/log-failure.ts';
import { resolveCaller } from '../../kernel/resolve-caller.ts';
import { parseRequest, type RawRequest } from './parse/parse-request.ts';
import { type PlanSettings, planRequest } from './plan/plan-request.ts';
import { settlePreferences } from './plan/settle-preferences.ts';
import { describeError } from './present/describe-error.ts';
import { presentDescription } from './present/present-description.ts';
import { presentResult } from './present/present-result.ts';
import { explainRefusal, presentFailure, type RestResponse } from './present/rest-response.ts';
import { type Stopwatch, startStopwatch } from './present/server-timing.ts';
import { RestError, restError } from './rest-error.ts';
import { readPrivileges } from './run/read-privileges.ts';
import { runPlan } from './run/run-plan.ts';
import { createSchemaSource, type SchemaSource } from './schema-cache/create-schema-source.ts';
import { listenForReload } from './schema-cache/listen-for-reload.ts';
import { createStatementNames, type NameStatement } from './sql/name-statements.ts';

export type RestSettings = {
  /** Schemas whose relations and functions can be asked for; the first is the default. */
  readonly schemas: readonly string[];
  /** No answer has more rows, whatever the limit asked for. */
  readonly maxRows: number;
  /** Whether `select=price.sum()` is allowed: it can scan a whole table. */
  readonly aggregates: boolean;
  /** Whether the planner's view of a request is told (`Accept: application/vnd.pgrst.plan`). */
  readonly plans: boolean;
  /** Whether answers say how long each stage took (`Server-Timing`). */
  readonly serverTiming: boolean;
};

export type RestServiceDeps = {
  readonly db: Database;
  readonly keyring: Keyring;
  readonly settings?: Partial<RestSettings>;
  readonly now: () => Date;
  readonly logger: FastifyBaseLogger;
};

/** As on the hosted platform. */
const DEFAULTS: RestSettings = {
  schemas: ['public'],
  maxRows: 1000,
  aggregates: false,
  plans: false,
  serverTiming: false,
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
  const settings = { ...DEFAULTS, ...deps.settings };
  const source = createSchemaSource(db, settings.schemas);
  const nameStatement = createStatementNames();

  return async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    app.decorateRequest('restCaller', null);
    app.decorateRequest('restStopwatch', null);
    app.setErrorHandler(answerError);
    app.route({ method: METHODS, url: '/', handler });
    app.route({ method: METHODS, url: '/*', handler });

    app.addHook('onClose', listenForReload(db, source, logger));
  };

  async function handler(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (settings.serverTiming) request.restStopwatch = startStopwatch();
    const resolved = resolveCaller(keyring, request.headers, now());
    request.restStopwatch?.lap('jwt');
    if (!resolved.ok) throw new RestError(explainRefusal(resolved.reason, request.headers));
    request.restCaller = resolved.caller;
    const response = await answerRequest({ db, settings, source, nameStatement }, request, resolved.caller);
    request.restStopwatch?.lap('response');
    return send(request, reply, response);
  }
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const caller = request.restCaller;
  const failure = describeError(error, caller !== null && caller.role !== 'anon');
  if (failure.status >= 500) logFailure(request, error, 'table API request failed');
  return send(request, reply, presentFailure(failure));
}

/** Answers are a person's own: nothing in between may keep one, unless a function says how long (`response.headers`). */
function send(
  { restStopwatch }: FastifyRequest,
  reply: FastifyReply,
  { status, headers, body }: RestResponse,
): FastifyReply {
  if (restStopwatch !== null) reply.header('server-timing', restStopwatch.render());
  return reply.code(status).header('cache-control', 'no-store').headers(headers).send(body);
}

type AnswerDeps = {
  readonly db: Database;
  readonly settings: PlanSettings & { readonly schemas: readonly string[] };
  readonly source: SchemaSource;
  readonly nameStatement: NameStatement;
};

const NO_BODY = Buffer.alloc(0);

/** parse → plan → run → present. @throws RestError, or what the database threw. */
async function answerRequest(deps: AnswerDeps, http: FastifyRequest, caller: Caller): Promise<RestResponse> {
  const { db, settings, source, nameStatement } = deps;
  const raw = readRaw(http);
  const request = parseRequest(raw, settings.schemas);
  if (!request.ok) throw new RestError(request.failure);
  http.restStopwatch?.lap('parse');
  const { schema } = request.value;
  const known = source.current();
  const cache = known instanceof Promise ? await known.catch(failOnSchema) : known;
  const settled = settlePreferences(cache, request.value);
  if (!settled.ok) throw new RestError(settled.failure);
  const plan = planRequest(cache, settings, settled.value);
  if (!plan.ok) throw new RestError(plan.failure);
  http.restStopwatch?.lap('plan');
  const profile = settings.schemas.length > 1 ? schema : undefined;
  const context = {
    db,
    caller,
    request: toContext(raw),
    nameStatement,
    schemaVersion: cache.version,
    timeZone: settled.value.preferences.timeZone,
  };
  switch (plan.value.kind) {
    case 'options':
      return { status: 200, headers: { allow: plan.value.allow }, body: undefined };
    case 'description': {
      const privileges = await readPrivileges(context, schema);
      http.restStopwatch?.lap('transaction');
      return presentDescription(cache, { schema, profile, privileges, headersOnly: plan.value.headersOnly });
    }
    default: {
      if (plan.value.weight.hasPattern && caller.role === 'anon')
        throw new RestError(restError.patternOfVisitor());
      const result = await runPlan(context, plan.value);
      http.restStopwatch?.lap('transaction');
      return presentResult(settled.value, plan.value, result, profile);
    }
  }
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

/** What SQL reads as `request.method`, `request.path` and `request.headers`. */
function toContext({ method, path, headers }: RawRequest): RequestContext {
  // Node gives one string for every header but the few that may come several times.
  return { method, path, headers: headers as Readonly<Record<string, string>> };
}
