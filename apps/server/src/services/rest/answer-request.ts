import type { FastifyRequest } from 'fastify';
import type { Caller, RequestContext } from '../../kernel/caller.ts';
import type { Database } from '../../kernel/database.ts';
import { isDatabaseUnavailable } from '../../kernel/is-database-unavailable.ts';
import { parseRequest, type RawRequest } from './parse/parse-request.ts';
import type { ReadSettings } from './plan/plan-read.ts';
import { planRequest } from './plan/plan-request.ts';
import { presentDescription } from './present/present-description.ts';
import { presentResult } from './present/present-result.ts';
import type { RestResponse } from './present/rest-response.ts';
import { RestError, restError } from './rest-error.ts';
import { readPrivileges } from './run/read-privileges.ts';
import { runPlan } from './run/run-plan.ts';
import type { SchemaSource } from './schema-cache/create-schema-source.ts';
import type { NameStatement } from './sql/name-statements.ts';

export type AnswerDeps = {
  readonly db: Database;
  readonly settings: ReadSettings & { readonly schemas: readonly string[] };
  readonly source: SchemaSource;
  readonly nameStatement: NameStatement;
};

const NO_BODY = Buffer.alloc(0);

/** parse → plan → run → present. @throws RestError, or what the database threw. */
export async function answerRequest(
  deps: AnswerDeps,
  http: FastifyRequest,
  caller: Caller,
): Promise<RestResponse> {
  const { db, settings, source, nameStatement } = deps;
  const raw = readRaw(http);
  const request = parseRequest(raw, settings.schemas);
  if (!request.ok) throw new RestError(request.failure);
  const { schema } = request.value;
  const known = source.current();
  const cache = known instanceof Promise ? await known.catch(failOnSchema) : known;
  const plan = planRequest(cache, settings, request.value);
  if (!plan.ok) throw new RestError(plan.failure);
  const context = {
    db,
    caller,
    request: toContext(raw),
    nameStatement,
    schemaVersion: cache.version,
  };
  switch (plan.value.kind) {
    case 'options':
      return { status: 200, headers: { allow: plan.value.allow }, body: undefined };
    case 'description': {
      const privileges = await readPrivileges(context, schema);
      return presentDescription(cache, schema, privileges, plan.value.headersOnly);
    }
    default: {
      if (plan.value.weight.hasPattern && caller.role === 'anon')
        throw new RestError(restError.patternOfVisitor());
      const result = await runPlan(context, plan.value);
      const profile = settings.schemas.length > 1 ? schema : undefined;
      return presentResult(request.value, plan.value, result, profile);
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
