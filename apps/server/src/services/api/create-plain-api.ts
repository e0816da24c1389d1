import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../kernel/caller-context.ts';
import { asCaller, type Database } from '../../kernel/database.ts';
import { hashInline } from '../../kernel/gateway/build-content-security-policy.ts';
import { logFailure } from '../../kernel/log-failure.ts';
import { libraryWithin, openLibrary } from '../../library/library.ts';
import { type ApiDeps, admitCaller, requireScope } from './admit-caller.ts';
import { readIdempotencyKey, runOnce } from './idempotency.ts';
import { readJsonAlone } from './json-bodies.ts';
import type { Answer, Call, Operation } from './operation.ts';
import { OPERATIONS } from './operations/all-operations.ts';
import { Problem, presentProblem, toProblem } from './problem.ts';
import { readContent, readQuery } from './read-input.ts';
import { refuseUnknownPaths } from './refuse-unknown-paths.ts';
import { registerViewer } from './viewer.ts';

/** A link of the longest texts, written in escapes, is half of it. */
const MAX_BODY_BYTES = 65_536;

/** Where it lies. */
const PREFIX = '/api/v1';

export type PlainApiDeps = ApiDeps & {
  /** The web app as it was built. */
  readonly webFolder: string;
};

/** The plain API: JSON over HTTP, for programs of people. Register the result at `/api/v1`. */
export function createPlainApi(deps: PlainApiDeps): FastifyPluginAsync {
  const { siteUrl } = deps.settings;
  return async (app) => {
    readJsonAlone(app);
    app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply, siteUrl));
    refuseUnknownPaths(app);
    registerDocument(app, deps);
    registerViewer(app, { webFolder: deps.webFolder, siteUrl });
    const callers = new WeakMap<FastifyRequest, Caller>();
    /** Before a body is read: a stranger's costs nothing. */
    const admit = async (request: FastifyRequest, reply: FastifyReply) => {
      reply.header('cache-control', 'no-store');
      callers.set(request, await admitCaller(deps, request.headers));
    };
    for (const operation of OPERATIONS) {
      app.route({
        method: operation.method,
        url: operation.path.replace('{id}', ':id'),
        bodyLimit: MAX_BODY_BYTES,
        onRequest: admit,
        handler: async (request, reply) => {
          const caller = callers.get(request);
          if (caller === undefined) throw new Problem('missing_token');
          return runOperation(operation, { request, reply, caller, db: deps.db });
        },
      });
    }
    refuseOtherMethods(app);
  };
}

/** The document, and the page that is made of it, are the same for everybody: made when they are first asked for. */
function registerDocument(app: FastifyInstance, { settings }: ApiDeps): void {
  let made: { readonly json: string; readonly page: string } | undefined;
  const make = async () => {
    const [{ describeApi }, { presentDocumentation }] = await Promise.all([
      import('./describe-api.ts'),
      import('./documentation.ts'),
    ]);
    const json = JSON.stringify(describeApi(OPERATIONS, settings));
    made = { json, page: presentDocumentation(JSON.parse(json)) };
    return made;
  };
  app.get('/openapi.json', async (_request, reply) => {
    const { json } = made ?? (await make());
    return reply
      .header('cache-control', 'public, max-age=600')
      .type('application/json; charset=utf-8')
      .send(json);
  });
  app.get('/docs', async (_request, reply) => {
    const { page } = made ?? (await make());
    return reply
      .header('cache-control', 'public, max-age=600')
      .header('content-security-policy', describePolicy(page))
      .type('text/html; charset=utf-8')
      .send(page);
  });
}

/** It is read, and nothing in it runs, is sent or is framed. */
function describePolicy(page: string): string {
  const style = hashInline(page, 'style').join(' ');
  return `default-src 'none'; style-src ${style}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
}

/** A path that is known says what it takes (RFC 9110, section 15.5.6). */
function refuseOtherMethods(app: FastifyInstance): void {
  const paths = new Set(OPERATIONS.map(({ path }) => path));
  for (const path of paths) {
    const known = OPERATIONS.filter((one) => one.path === path).map(({ method }) => String(method));
    const allow = [...known, ...(known.includes('GET') ? ['HEAD'] : [])].join(', ');
    const refuse = async () => {
      throw new Problem('method_not_allowed', { headers: { allow } });
    };
    app.route({
      method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => !known.includes(method)),
      url: path.replace('{id}', ':id'),
      // A body that comes along is not read.
      onRequest: refuse,
      handler: refuse,
    });
  }
}

type Running = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly caller: Caller;
  readonly db: Database;
};

async function runOperation(operation: Operation, running: Running): Promise<FastifyReply> {
  const { request, reply, caller, db } = running;
  const { query, content, method } = operation;
  const call: Omit<Call<string, unknown, unknown>, 'library'> = {
    id: readId(operation, request.params),
    query: query === undefined ? {} : readQuery(query, request.query),
    body: content === undefined ? undefined : readContent(content, request.body),
    userId: String(caller.claims['sub']),
  };
  if (method === 'GET') {
    const library = openLibrary(db, caller);
    await requireScope(library, operation);
    return send(operation, reply, await operation.run({ ...call, library }));
  }
  const key = method === 'POST' ? readIdempotencyKey(request.headers) : undefined;
  // What it does, and what it is answered, together or not at all.
  const { answer, isReplayed } = await asCaller(db, caller, async (tx) => {
    const library = libraryWithin(tx);
    await requireScope(library, operation);
    const run = () => operation.run({ ...call, library });
    if (key === undefined) return { answer: await run(), isReplayed: false };
    return runOnce(library, { key, path: operation.path, content: call.body }, run);
  });
  if (isReplayed) reply.header('idempotent-replayed', 'true');
  return send(operation, reply, answer);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What is no id is the id of nothing. */
function readId({ path }: Operation, params: unknown): string {
  if (!path.endsWith('{id}')) return '';
  const { id = '' } = params as { readonly id?: string };
  if (!UUID.test(id)) throw new Problem('not_found');
  return id.toLowerCase();
}

function send({ status }: Operation, reply: FastifyReply, { body, location }: Answer): FastifyReply {
  if (location !== undefined) reply.header('location', `${PREFIX}${location}`);
  return reply.code(status).send(body);
}

function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply, site: string) {
  const problem = toProblem(error);
  const body = presentProblem(problem, site);
  if (body.status >= 500) logFailure(request, error, 'API call failed');
  return reply
    .code(body.status)
    .headers({ 'cache-control': 'no-store', ...problem.details.headers })
    .type('application/problem+json; charset=utf-8')
    .send(JSON.stringify(body));
}
