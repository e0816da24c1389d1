import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FunctionAnswer } from './function-definition.ts';

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
export function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: FunctionAnswer,
): FastifyReply {
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
export function answerPreflight({ headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const asked = headers['access-control-request-headers'];
  reply.header('access-control-allow-methods', 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS');
  if (asked !== undefined) reply.header('access-control-allow-headers', asked);
  return reply.code(204).send();
}

function isEmpty(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}
