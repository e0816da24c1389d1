import type { FastifyReply, FastifyRequest } from 'fastify';

const MESSAGE = 'Esse caminho não existe';

/**
 * A body that each of the official clients finds its message in: `message` and the four keys of the table API, `msg` and
 * `error_code` of accounts, `error` and `statusCode` of storage.
 */
export function describeProblem(statusCode: number, code: string, message: string) {
  return {
    code,
    message,
    details: null,
    hint: null,
    msg: message,
    error_code: code,
    error: code,
    statusCode: String(statusCode),
  };
}

/** JSON for programs; the page itself for a person who typed or followed an address of the web app. */
export function answerUnknownPath(
  request: FastifyRequest,
  reply: FastifyReply,
  sendPage?: () => FastifyReply,
) {
  if (sendPage && isNavigation(request)) return sendPage();
  // The operator gets a page where others get this answer: nothing in between keeps it.
  reply.header('cache-control', 'no-store');
  if (findService(request.url)) return reply.code(404).send(describeProblem(404, 'not_found', MESSAGE));
  return reply.code(404).type('text/plain; charset=utf-8').send(`${MESSAGE}.\n`);
}

/** Hashed and hidden files and the server's own pages never turn into the app: a stale address must fail visibly. */
const NEVER_A_PAGE = /^\/(?:\.|(?:assets|dev|health|metrics|config\.json)(?:[/?]|$))/;

function isNavigation({ method, url, headers }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  if (findService(url) || NEVER_A_PAGE.test(url)) return false;
  return (headers.accept ?? '').includes('text/html');
}

const SERVICES = ['auth', 'rest', 'realtime', 'storage', 'functions'] as const;

type ServiceName = (typeof SERVICES)[number] | 'api';

/** The plain API has a second shape beside its first version. */
const PREFIX = new RegExp(`^/(?:(${SERVICES.join('|')})/v1|(api))(?:[/?]|$)`);

/** The service a path belongs to; undefined for the web app and the server's own pages. */
export function findService(url: string): ServiceName | undefined {
  const [, service, api] = PREFIX.exec(decodePath(url)) ?? [];
  return (service ?? api) as ServiceName | undefined;
}

/** As the router reads it: an escaped letter is that letter. */
function decodePath(url: string): string {
  const [path = ''] = url.split('?', 1);
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
