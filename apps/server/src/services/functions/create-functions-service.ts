import type {
  FastifyError,
  FastifyInstance,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
} from 'fastify';
import type { Caller } from '../../kernel/caller-context.ts';
import type { Keyring } from '../../kernel/keyring.ts';
import { logFailure } from '../../kernel/log-failure.ts';
import { resolveCaller } from '../../kernel/resolve-caller.ts';
import { type Admit, type CallOrigin, createAdmission } from './admit-caller.ts';
import {
  type FunctionAnswer,
  type FunctionCall,
  type FunctionDefinition,
  holdBody,
} from './function-definition.ts';
import { FunctionsError, presentFault } from './functions-error.ts';
import type { FunctionsHost } from './open-functions.ts';

export type FunctionsServiceDeps = {
  readonly keyring: Keyring;
  readonly now: () => Date;
  readonly functions: FunctionsHost;
  /** Whether a person's token may still act: an account can be closed before its tokens expire. */
  readonly isAccountOpen: (caller: Caller) => Promise<boolean>;
};

const VISITOR: Caller = { role: 'anon', claims: {} };
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** The hosted platform's functions (`functions/v1`): register the result under that prefix. */
export function createFunctionsService({
  keyring,
  now,
  functions,
  isAccountOpen,
}: FunctionsServiceDeps): FastifyPluginAsync {
  const admissions = new WeakMap<FunctionDefinition, Admit>();

  return async (app) => {
    leaveBodiesOnTheWay(app);
    app.setErrorHandler(answerError);
    app.addHook('onClose', () => functions.close());
    const handler = (request: FastifyRequest, reply: FastifyReply) => handle(request, reply, app.prefix);
    // Preflights of functions are theirs; the gateway's own would never let them through.
    const config = { cors: { preflight: false } };
    for (const url of ['/', '/:name', '/:name/*']) app.route({ method: METHODS, url, handler, config });
  };

  async function handle(request: FastifyRequest, reply: FastifyReply, prefix: string): Promise<FastifyReply> {
    const { name = '' } = request.params as { name?: string };
    const definition = functions.find(name);
    if (!definition && request.method === 'OPTIONS') return answerPreflight(request, reply);
    if (!definition)
      return reply
        .code(404)
        .header('cache-control', 'no-store')
        .type('text/plain; charset=utf-8')
        .send('Function not found');
    const caller = identify(definition, request);
    if (Number(request.headers['content-length']) > functions.bodyLimit)
      throw new FunctionsError('too_large');
    if (definition.verifyJwt) await requireOpenAccount(caller);
    // A preflight has none, and what is sent with one nobody has looked at.
    const hasToken = !(definition.verifyJwt && request.method === 'OPTIONS');
    const call = toFunctionCall(request, reply, { prefix, hasToken });
    return sendAnswer(request, reply, await admitted(definition, { caller, ip: request.ip }, call));
  }

  /** @throws FunctionsError for a token that does not verify: nobody becomes a visitor by a broken token. */
  function identify({ verifyJwt }: FunctionDefinition, { method, headers, raw }: FastifyRequest): Caller {
    // Browsers send no token with a preflight: it takes its place as a visitor's call does.
    if (method === 'OPTIONS') return VISITOR;
    // As it was sent: an API key that the gateway has exchanged is no token, and functions that ask for one take none.
    const sent = raw.headers.authorization;
    if (verifyJwt && sent === undefined) throw new FunctionsError('missing_authorization');
    // What a function reads there has been verified: the API key beside it does not stand for it.
    if (verifyJwt && !/^bearer +(?!sb_)\S/i.test(sent ?? '')) throw new FunctionsError('invalid_jwt');
    const resolved = resolveCaller(keyring, headers, now());
    if (resolved.ok) return resolved.caller;
    if (verifyJwt) throw new FunctionsError('invalid_jwt');
    return VISITOR;
  }

  /** @throws FunctionsError also when nobody can say: what is closed stays closed. */
  async function requireOpenAccount(caller: Caller): Promise<void> {
    if (caller.role !== 'authenticated') return;
    const isOpen = await isAccountOpen(caller).catch((cause: unknown) => {
      throw new FunctionsError('busy', { cause });
    });
    if (!isOpen) throw new FunctionsError('invalid_jwt');
  }

  /** A call takes its place until its answer has been sent to the last byte. */
  function admitted(
    definition: FunctionDefinition,
    origin: CallOrigin,
    call: FunctionCall,
  ): Promise<FunctionAnswer> {
    const admit = admissions.get(definition) ?? createAdmission(definition);
    admissions.set(definition, admit);
    const answered = Promise.withResolvers<FunctionAnswer>();
    admit(origin, call, async () => {
      if (call.signal.aborted) throw new FunctionsError('aborted');
      const answer = await functions.call(definition, call);
      answered.resolve(answer);
      await answer.finished;
    }).catch(answered.reject);
    return answered.promise;
  }
}

/** A function reads its body as it likes, and as it comes. */
function leaveBodiesOnTheWay(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
}

function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = toRefusal(error);
  const { status, headers, body } = presentFault(refusal);
  if (status >= 500 && refusal.retryAfter === undefined)
    logFailure(request, refusal.cause ?? refusal, 'function call failed');
  return reply.code(status).headers(headers).send(body);
}

/** What an error that is none of ours means to the client; its own words stay in the log. */
function toRefusal(error: FastifyError): FunctionsError {
  if (error instanceof FunctionsError) return error;
  const isCallers = error.statusCode !== undefined && error.statusCode < 500;
  return new FunctionsError(isCallers ? 'bad_request' : 'crashed', { cause: error });
}

/** The server says itself where a request came from; what a caller wrote there proves nothing. */
const OWN_HEADERS = /^(?:x-forwarded-(?:for|host|proto|port)|forwarded|x-real-ip|x-linkoteca-.*)$/;

/**
 * The request as a function gets it: below its own name, as on the hosted platform, with its body still on the way.
 * @param options `prefix` under which the service is registered; `hasToken` whether its token goes on.
 */
function toFunctionCall(
  request: FastifyRequest,
  reply: FastifyReply,
  { prefix, hasToken }: { readonly prefix: string; readonly hasToken: boolean },
): FunctionCall {
  const { method, raw, id } = request;
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort(new FunctionsError('aborted'));
  });
  const path = (raw.url ?? '/').slice(prefix.length);
  return {
    requestId: id,
    method,
    path: path.startsWith('/') ? path : `/${path}`,
    headers: [...listHeaders(raw.rawHeaders, hasToken), ...describeOrigin(request)],
    body: hasBody(request) ? holdBody(raw) : undefined,
    signal: gone.signal,
  };
}

/** Of several tokens the first was looked at, and goes on alone: functions take the token they are given for verified. */
function listHeaders(raw: readonly string[], hasToken: boolean): string[] {
  const names = raw.map((_, at) => (raw[at - (at % 2)] ?? '').toLowerCase());
  const token = names.indexOf('authorization');
  return raw.filter((_, at) => {
    const name = names[at] ?? '';
    return !OWN_HEADERS.test(name) && (name !== 'authorization' || (hasToken && at <= token + 1));
  });
}

function describeOrigin({ ips, ip, host, protocol, port }: FastifyRequest): string[] {
  return [
    'x-forwarded-for',
    // The furthest first, as proxies write it.
    (ips ? [...ips].reverse() : [ip]).join(', '),
    'x-forwarded-host',
    host,
    'x-forwarded-proto',
    protocol,
    'x-forwarded-port',
    String(port ?? (protocol === 'https' ? 443 : 80)),
  ];
}

function hasBody({ method, headers }: FastifyRequest): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Set by the gateway for its own answers; who may read a function's answer is the function's own business. */
const GATEWAY_CORS = [
  'access-control-allow-origin',
  'access-control-allow-credentials',
  'access-control-expose-headers',
  'vary',
];
/** The app lives on this very origin: whatever a browser makes of an answer, nothing in it may run or be framed. */
const PROTECTED = new Set([
  'content-security-policy',
  'cross-origin-resource-policy',
  'x-content-type-options',
  'strict-transport-security',
]);

/** Sends what a function answered, byte by byte as it comes. */
function sendAnswer(request: FastifyRequest, reply: FastifyReply, answer: FunctionAnswer): FastifyReply {
  const { status, headers, body } = answer;
  for (const name of GATEWAY_CORS) reply.removeHeader(name);
  reply.code(status);
  for (const [name, value] of headers) {
    if (!PROTECTED.has(name)) reply.header(name, value);
  }
  if (request.method === 'HEAD' || isEmpty(status)) {
    body.resume();
    return reply.send();
  }
  // Without it the first line of a stream would wait for the second.
  setImmediate(() => {
    if (!reply.raw.destroyed) reply.raw.flushHeaders();
  });
  return reply.send(body);
}

/** Of a name that is no function: the page shall read 404 and not a failure of the network. */
function answerPreflight({ headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const asked = headers['access-control-request-headers'];
  reply.header('access-control-allow-methods', 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS');
  if (asked !== undefined) reply.header('access-control-allow-headers', asked);
  return reply.code(204).send();
}

function isEmpty(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}
