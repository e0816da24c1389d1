import type {
  FastifyError,
  FastifyInstance,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
} from 'fastify';
import type { Caller } from '../../kernel/caller.ts';
import type { Keyring } from '../../kernel/keyring.ts';
import { resolveCaller } from '../../kernel/resolve-caller.ts';
import { type Admit, createAdmission } from './admit-caller.ts';
import type { FunctionDefinition, Functions } from './function-definition.ts';
import { FunctionsError, presentFault } from './functions-error.ts';
import { toWebRequest } from './to-web-request.ts';

export type FunctionsServiceDeps = {
  readonly keyring: Keyring;
  readonly now: () => Date;
  readonly functions: Functions;
};

/** Preflights are the gateway's. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
/** The gateway says who may read an answer from another origin; on the hosted platform functions do it themselves. */
const GATEWAY_HEADERS = /^access-control-/;

/** The hosted platform's functions (`functions/v1`): register the result under that prefix. */
export function createFunctionsService({
  keyring,
  now,
  functions,
}: FunctionsServiceDeps): FastifyPluginAsync {
  const running = new Map(
    Object.entries(functions).map(([name, definition]) => [
      name,
      { definition, admit: createAdmission(definition) },
    ]),
  );

  return async (app) => {
    readBodiesAsBytes(app);
    app.setErrorHandler(answerError);
    for (const url of ['/', '/:name', '/:name/*']) app.route({ method: METHODS, url, handler });
  };

  async function handler(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { name = '' } = request.params as { name?: string };
    const found = running.get(name);
    if (!found) return reply.code(404).type('text/plain; charset=utf-8').send('Function not found');
    const caller = identify(found.definition, request);
    const response = await call(found.definition, found.admit, caller, toWebRequest(request, reply));
    return send(reply, response);
  }

  /** @throws FunctionsError for a token that does not verify: nobody becomes a visitor by a broken token. */
  function identify({ verifyJwt }: FunctionDefinition, { headers }: FastifyRequest): Caller {
    if (verifyJwt && headers.authorization === undefined) throw new FunctionsError('missing_authorization');
    const resolved = resolveCaller(keyring, headers, now());
    if (resolved.ok) return resolved.caller;
    if (verifyJwt) throw new FunctionsError('invalid_jwt');
    return { role: 'anon', claims: {} };
  }
}

async function call(
  { handler }: FunctionDefinition,
  admit: Admit,
  caller: Caller,
  request: Request,
): Promise<Response> {
  return await admit(caller, async () => {
    try {
      return await handler(request);
    } catch (cause) {
      throw new FunctionsError('crashed', { cause });
    }
  });
}

/** A function reads its body as it likes: JSON, text, bytes, a form. */
function readBodiesAsBytes(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}

function send(reply: FastifyReply, { status, headers, body }: Response): FastifyReply {
  reply.code(status);
  for (const [name, value] of headers) {
    if (!GATEWAY_HEADERS.test(name)) reply.header(name, value);
  }
  return reply.send(body ?? undefined);
}

function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = toRefusal(error);
  const { status, headers, body } = presentFault(refusal);
  if (status === 500) request.log.error({ err: refusal.cause }, 'function failed');
  return reply.code(status).headers(headers).send(body);
}

/** What an error that is none of ours means to the client; its own words stay in the log. */
function toRefusal(error: FastifyError): FunctionsError {
  if (error instanceof FunctionsError) return error;
  if (error.statusCode === 413) return new FunctionsError('too_large', { cause: error });
  const isCallers = error.statusCode !== undefined && error.statusCode < 500;
  return new FunctionsError(isCallers ? 'bad_request' : 'crashed', { cause: error });
}
