import type { FastifyReply, FastifyRequest } from 'fastify';

/** Functions see a path below this; which name the caller used for the server is not theirs to trust. */
const ORIGIN = 'http://functions.internal';

/** The request as a function gets it. Its signal fires when the caller hangs up before the answer is complete. */
export function toWebRequest(request: FastifyRequest, reply: FastifyReply): Request {
  const { method, headers, url, body } = request;
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  const init = { method, headers: toWebHeaders(headers, request.id), signal: gone.signal };
  return new Request(
    new URL(url, ORIGIN),
    Buffer.isBuffer(body) && body.length > 0 ? { ...init, body: new Uint8Array(body) } : init,
  );
}

/** With our own id of the request, so that a function's log line can be found beside the gateway's. */
function toWebHeaders(given: FastifyRequest['headers'], requestId: string): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    for (const single of Array.isArray(value) ? value : [value ?? '']) headers.append(name, single);
  }
  headers.set('x-request-id', requestId);
  return headers;
}
