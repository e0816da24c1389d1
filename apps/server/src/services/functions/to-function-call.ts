import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FunctionCall } from './function-definition.ts';
import { FunctionsError } from './functions-error.ts';
import { holdBody } from './hold-body.ts';

/** The server says itself where a request came from; what a caller wrote there proves nothing. */
const OWN_HEADERS = /^(?:x-forwarded-(?:for|host|proto|port)|forwarded|x-real-ip|x-linkoteca-.*)$/;

/**
 * The request as a function gets it: below its own name, as on the hosted platform, with its body still on the way.
 * @param prefix under which the service is registered.
 */
export function toFunctionCall(request: FastifyRequest, reply: FastifyReply, prefix: string): FunctionCall {
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
    headers: [...listHeaders(raw.rawHeaders), ...describeOrigin(request)],
    body: hasBody(request) ? holdBody(raw) : undefined,
    signal: gone.signal,
  };
}

function listHeaders(raw: readonly string[]): string[] {
  return raw.filter((_, at) => !OWN_HEADERS.test((raw[at - (at % 2)] ?? '').toLowerCase()));
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
