import type { FastifyBaseLogger, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import pg from 'pg';
import type { Caller } from '../../kernel/caller.ts';
import type { Database } from '../../kernel/database.ts';
import type { Keyring } from '../../kernel/keyring.ts';
import { logFailure } from '../../kernel/log-failure.ts';
import { resolveCaller } from '../../kernel/resolve-caller.ts';
import { answerRequest } from './answer-request.ts';
import { describeError } from './present/describe-error.ts';
import { explainRefusal } from './present/explain-refusal.ts';
import { presentFailure } from './present/present-failure.ts';
import type { RestResponse } from './present/rest-response.ts';
import { RestError } from './rest-error.ts';
import { createSchemaSource } from './schema-cache/create-schema-source.ts';
import { type ConnectListener, listenForReload } from './schema-cache/listen-for-reload.ts';
import { createStatementNames } from './sql/name-statements.ts';

export type RestSettings = {
  /** Schemas whose relations and functions can be asked for; the first is the default. */
  readonly schemas: readonly string[];
  /** No answer has more rows, whatever the limit asked for. */
  readonly maxRows: number;
  /** Whether `select=price.sum()` is allowed: it can scan a whole table. */
  readonly aggregates: boolean;
};

export type RestServiceDeps = {
  readonly db: Database;
  readonly keyring: Keyring;
  readonly settings?: Partial<RestSettings>;
  readonly now: () => Date;
  readonly logger: FastifyBaseLogger;
  /** Opens the connection that hears of schema changes; by default one like those of the pool. */
  readonly connectListener?: ConnectListener;
};

/** As on the hosted platform. */
const DEFAULTS: RestSettings = { schemas: ['public'], maxRows: 1000, aggregates: false };

const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'];

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the table API once it is known: its error handler asks whether the caller has a role. */
    restCaller: Caller | null;
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
    app.setErrorHandler(answerError);
    app.route({ method: METHODS, url: '/', handler });
    app.route({ method: METHODS, url: '/*', handler });

    const stopListening = listenForReload(deps.connectListener ?? connectLikePool(db), source, logger);
    app.addHook('onClose', stopListening);
  };

  async function handler(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const resolved = resolveCaller(keyring, request.headers, now());
    if (!resolved.ok) throw new RestError(explainRefusal(resolved.reason, request.headers));
    request.restCaller = resolved.caller;
    const response = await answerRequest({ db, settings, source, nameStatement }, request, resolved.caller);
    return send(reply, response);
  }
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const caller = request.restCaller;
  const failure = describeError(error, caller !== null && caller.role !== 'anon');
  if (failure.status >= 500) logFailure(request, error, 'table API request failed');
  return send(reply, presentFailure(failure));
}

/** Answers are a person's own: nothing in between may keep one, unless a function says how long (`response.headers`). */
function send(reply: FastifyReply, { status, headers, body }: RestResponse): FastifyReply {
  return reply.code(status).header('cache-control', 'no-store').headers(headers).send(body);
}

function connectLikePool(db: Database): ConnectListener {
  return async (onError) => {
    const client = new pg.Client(db.pool.options);
    client.on('error', onError);
    await client.connect();
    return client;
  };
}
