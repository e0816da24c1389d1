import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../../kernel/caller-context.ts';
import { asCaller } from '../../../kernel/database.ts';
import { logFailure } from '../../../kernel/log-failure.ts';
import { type Library, libraryWithin } from '../../../library/library.ts';
import { type ApiDeps, admitCaller, requireScope } from '../admit-caller.ts';
import { readJsonAlone } from '../json-bodies.ts';
import { Problem, toProblem } from '../problem.ts';
import { refuseUnknownPaths } from '../refuse-unknown-paths.ts';
import { BOOKMARK_ROUTES } from './bookmarks.ts';
import type { LinkdingRoute } from './linkding-route.ts';
import type { ReadPage } from './page-text.ts';
import { presentRefusal } from './present-refusal.ts';
import { OTHER_ROUTES } from './tags.ts';

export type LinkdingDeps = ApiDeps & { readonly readPage: ReadPage };

const ROUTES: readonly LinkdingRoute[] = [...BOOKMARK_ROUTES, ...OTHER_ROUTES];

/** Its programs send whole descriptions of pages, which are cut here. */
const MAX_BODY_BYTES = 262_144;

/**
 * What programs expect that were written for linkding: its extensions and phone apps. What a call does is one transaction of the person
 * whose token it brings, also where it only reads: links get their numbers when they are first shown. A page is opened before it. Register the result at `/api`.
 */
export function createLinkdingApi(deps: LinkdingDeps): FastifyPluginAsync {
  return async (app) => {
    readJsonAlone(app);
    app.setErrorHandler((error, request, reply) => sendRefusal(error, request, reply));
    refuseUnknownPaths(app);
    const callers = new WeakMap<FastifyRequest, Caller>();
    const admit = async (request: FastifyRequest, reply: FastifyReply) => {
      reply.header('cache-control', 'no-store');
      const authorization = request.headers.authorization?.replace(/^token +/i, 'Bearer ');
      callers.set(request, await admitCaller(deps, { authorization }));
    };
    for (const route of ROUTES) {
      for (const url of [route.path, route.path.slice(0, -1)])
        app.route({
          method: route.method,
          url,
          bodyLimit: MAX_BODY_BYTES,
          onRequest: admit,
          handler: async (request, reply) => {
            const caller = callers.get(request);
            if (caller === undefined) throw new Problem('missing_token');
            return run(route, { request, reply, caller, deps });
          },
        });
    }
    refuseOtherMethods(app);
  };
}

function refuseOtherMethods(app: FastifyInstance): void {
  for (const path of new Set(ROUTES.map((route) => route.path))) {
    const known = ROUTES.filter((route) => route.path === path).map(({ method }) => String(method));
    const refuse = async () => {
      throw new Problem('method_not_allowed', { headers: { allow: known.join(', ') } });
    };
    const method = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((one) => !known.includes(one));
    for (const url of [path, path.slice(0, -1)])
      app.route({ method, url, onRequest: refuse, handler: refuse });
  }
}

type Running = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly caller: Caller;
  readonly deps: LinkdingDeps;
};

async function run(route: LinkdingRoute, { request, reply, caller, deps }: Running): Promise<FastifyReply> {
  const { id = '' } = request.params as { readonly id?: string };
  const given = Object.entries(request.query as Record<string, string | string[]>);
  const query = Object.fromEntries(
    // Of several the last counts, as with Django.
    given.map(([name, value]) => [name, Array.isArray(value) ? value.at(-1) : value]),
  );
  const address = `${deps.settings.siteUrl}${request.url.split('?')[0]}`;
  const within = <T>(act: (library: Library) => Promise<T>) =>
    asCaller(deps.db, caller, async (tx) => {
      const library = libraryWithin(tx);
      await requireScope(library, route);
      return act(library);
    });
  const asked = { id, query, body: request.body, address };
  const { pageOf } = route;
  const url = pageOf && (await within((library) => pageOf({ ...asked, library })));
  const page = url === undefined ? undefined : await deps.readPage(String(caller.claims['sub']), url);
  const { status, body } = await within((library) => route.run({ ...asked, library, page }));
  return reply.code(status).send(body);
}

function sendRefusal(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, headers, body } = presentRefusal(toProblem(error));
  if (status >= 500) logFailure(request, error, 'API call failed');
  return reply
    .code(status)
    .headers({ 'cache-control': 'no-store', ...headers })
    .send(body);
}
