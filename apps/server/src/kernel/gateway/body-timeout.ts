import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** Said by routes that take files: their size says nothing about how long they take, a pause does. */
type TakesFiles = { readonly takesFiles?: boolean };

export type BodyTimeout = {
  /** Until a body has arrived. */
  readonly wholeMs: number;
  /** Until the next bytes of a file arrive. */
  readonly pauseMs: number;
};

/**
 * Cuts off whoever sends a body too slowly, as Node itself would (408). Node knows one limit for all requests, which would have to be
 * that of the largest file over the slowest line.
 */
export function registerBodyTimeout(app: FastifyInstance, { wholeMs, pauseMs }: BodyTimeout): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { raw } = request;
    if (hasBody(raw)) {
      const cutOff = () => {
        // A request without a connection (inject) has nothing that could be cut, and no `destroyed`.
        if (raw.complete || raw.socket.destroyed !== false) return;
        app.server.emit('clientError', createTimeoutError(), raw.socket);
      };
      const isFile = (request.routeOptions.config as TakesFiles).takesFiles === true;
      const stop = isFile ? watchPauses(raw, pauseMs, cutOff) : watchWhole(wholeMs, cutOff);
      raw.once('end', stop).once('close', stop);
    }
    done();
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function watchWhole(wholeMs: number, cutOff: () => void): () => void {
  const timer = setTimeout(cutOff, wholeMs).unref();
  return () => clearTimeout(timer);
}

function watchPauses({ socket }: IncomingMessage, pauseMs: number, cutOff: () => void): () => void {
  let seen = socket.bytesRead;
  const timer = setInterval(() => {
    if (socket.bytesRead === seen) cutOff();
    seen = socket.bytesRead;
  }, pauseMs).unref();
  return () => clearInterval(timer);
}

/** The code by which Fastify tells a slow client from a broken one. */
function createTimeoutError(): Error {
  return Object.assign(new Error('the body came too slowly'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
}
