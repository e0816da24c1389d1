import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { asCaller, type Database } from '../../kernel/database.ts';
import type { Keyring } from '../../kernel/keyring.ts';
import { logFailure } from '../../kernel/log-failure.ts';
import { createCallLimits } from '../../library/call-limits.ts';
import { libraryWithin, openLibrary } from '../../library/library.ts';
import { identifyCaller, requireScope } from './admit-caller.ts';
import { readIdempotencyKey, runOnce } from './idempotency.ts';
import type { Answer, Call, Operation } from './operation.ts';
import { OPERATIONS } from './operations/all-operations.ts';
import { Problem, presentProblem, toProblem } from './problem.ts';
import { readContent, readQuery } from './read-input.ts';

export type ApiServiceDeps = {
  readonly db: Database;
  readonly keyring: Keyring;
  readonly now: () => Date;
  readonly settings: {
    /** Without a slash at its end. */
    readonly siteUrl: string;
    /** Whether programs can ask people to let them in. */
    readonly oauthServerEnabled: boolean;
  };
};

/** A link of the longest texts, written in escapes, is half of it. */
const MAX_BODY_BYTES = 65_536;

/** A minute: an import of a thousand links takes two. */
export const CALLS_PER_MINUTE = { program: 600, person: 1_200 } as const;

/** Where the service lies. */
export const PREFIX = '/api/v1';

/** The plain API: JSON over HTTP, for programs of people. Register the result at `PREFIX`. */
export function createApiService(deps: ApiServiceDeps): FastifyPluginAsync {
  const { siteUrl } = deps.settings;
  return async (app) => {
    readJsonAlone(app);
    app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply, siteUrl));
    app.setNotFoundHandler((request, reply) =>
      sendProblem(new Problem('not_found', { detail: 'Esse caminho não existe.' }), request, reply, siteUrl),
    );
    registerDocument(app, deps);
    const countCalls = createCallLimits(CALLS_PER_MINUTE);
    const callers = new WeakMap<FastifyRequest, ReturnType<typeof identifyCaller>>();
    /** Before a body is read: a stranger's costs nothing. */
    const admit = async (request: FastifyRequest, reply: FastifyReply) => {
      reply.header('cache-control', 'no-store');
      const caller = identifyCaller(deps.keyring, request.headers, { siteUrl, now: deps.now() });
      const seconds = await countCalls(caller, 1);
      if (seconds !== undefined)
        throw new Problem('too_many_requests', { headers: { 'retry-after': String(seconds) } });
      callers.set(request, caller);
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

/** A body that is no JSON is not read, and an empty one is none. */
function readJsonAlone(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else parse(request, String(body), done);
  });
}

/** The document is the same for everybody: made when it is first asked for. */
function registerDocument(app: FastifyInstance, { settings }: ApiServiceDeps): void {
  let text: string | undefined;
  app.get('/openapi.json', async (_request, reply) => {
    const { describeApi } = await import('./describe-api.ts');
    text ??= JSON.stringify(describeApi(OPERATIONS, settings));
    return reply
      .header('cache-control', 'public, max-age=600')
      .type('application/json; charset=utf-8')
      .send(text);
  });
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
  readonly caller: ReturnType<typeof identifyCaller>;
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
