import type {
  FastifyError,
  FastifyInstance,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
} from 'fastify';
import type { Caller } from '../../kernel/caller.ts';
import type { Keyring } from '../../kernel/keyring.ts';
import { logFailure } from '../../kernel/log-failure.ts';
import { resolveCaller } from '../../kernel/resolve-caller.ts';
import { type Admit, type CallOrigin, createAdmission } from './admit-caller.ts';
import type { FunctionAnswer, FunctionCall, FunctionDefinition } from './function-definition.ts';
import { FunctionsError, presentFault } from './functions-error.ts';
import type { FunctionsHost } from './open-functions.ts';
import { answerPreflight, sendAnswer } from './send-answer.ts';
import { toFunctionCall } from './to-function-call.ts';

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
    const call = toFunctionCall(request, reply, prefix);
    return sendAnswer(request, reply, await admitted(definition, { caller, ip: request.ip }, call));
  }

  /** @throws FunctionsError for a token that does not verify: nobody becomes a visitor by a broken token. */
  function identify({ verifyJwt }: FunctionDefinition, { method, headers }: FastifyRequest): Caller {
    // Browsers send no token with a preflight: it takes its place as a visitor's call does.
    if (method === 'OPTIONS') return VISITOR;
    if (verifyJwt && headers.authorization === undefined) throw new FunctionsError('missing_authorization');
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
