import type { AsyncLocalStorage } from 'node:async_hooks';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { describeThrown } from './describe-thrown.ts';
import type { Served } from './provide-deno.ts';
import { FAULT_HEADER, REQUEST_ID_HEADER } from './worker-headers.ts';
import type { Failure } from './worker-messages.ts';

export type ServeRequestsOptions = {
  readonly served: Served;
  readonly socketPath: string;
  /** Tells code that prints on behalf of which call it runs. */
  readonly calls: AsyncLocalStorage<string>;
  readonly report: (message: string, failure: Failure, requestId: string) => void;
};

/** What a function sees of the server's address, as the platform's relay has it; the name a caller used for it is in `x-forwarded-host`. */
const ORIGIN = 'http://localhost:8000';
const MAX_HEADER_BYTES = 65_536;
const WITHOUT_BODY = new Set([101, 204, 205, 304]);

/** Answers the server's calls with what the function makes of them. Resolves when it listens. */
export function serveRequests(options: ServeRequestsOptions): Promise<void> {
  const server = createServer(
    // The server in front has its own time limits, and opens and closes the connections.
    { requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 0, maxHeaderSize: MAX_HEADER_BYTES },
    (incoming, outgoing) => {
      const requestId = String(incoming.headers[REQUEST_ID_HEADER] ?? '');
      void options.calls.run(requestId, () => answer(options, incoming, outgoing, requestId));
    },
  );
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.socketPath, resolve);
  });
}

async function answer(
  { served, report }: ServeRequestsOptions,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  requestId: string,
): Promise<void> {
  const completed = Promise.withResolvers<void>();
  const gone = new AbortController();
  let request: Request | undefined;
  outgoing.once('close', () => {
    completed.resolve();
    if (!outgoing.writableFinished) gone.abort(new DOMException('the caller has gone', 'AbortError'));
    // The connection holds the request until then: its signal follows `gone` only as long as the request is not collected.
    request = undefined;
  });
  try {
    request = toRequest(incoming, gone.signal);
    const response = await respond(served, request, incoming, completed.promise);
    if (!gone.signal.aborted) await send(response, request.method, outgoing);
  } catch (error) {
    // Whoever has hung up is told nothing, and what fails because of it is no fault.
    if (isHangUp(error, outgoing, gone.signal)) return;
    report('function failed', describeThrown(error), requestId);
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(500, { [FAULT_HEADER]: describeFault(error) }).end();
  }
}

/** Once the answer is on its way, a failing stream closes the connection as well: its error tells the two apart. */
function isHangUp(error: unknown, { headersSent }: ServerResponse, { aborted }: AbortSignal): boolean {
  if (!headersSent) return aborted;
  return (error as NodeJS.ErrnoException | undefined)?.code === 'ERR_STREAM_PREMATURE_CLOSE';
}

/** A buffer beyond the memory limit is refused by an exception, where a full heap ends the process. */
function describeFault(error: unknown): 'memory' | 'thrown' {
  const isMemory = error instanceof Error && /(?:allocation failed|failed to allocate)/i.test(error.message);
  return isMemory ? 'memory' : 'thrown';
}

async function respond(
  { handle, onError }: Served,
  request: Request,
  { headers }: IncomingMessage,
  completed: Promise<void>,
): Promise<Response> {
  const hostname =
    String(headers['x-forwarded-for'] ?? '')
      .split(',')[0]
      ?.trim() || '127.0.0.1';
  try {
    const response = await handle(request, {
      remoteAddr: { transport: 'tcp', hostname, port: 0 },
      completed,
    });
    if (!(response instanceof Response)) throw new TypeError('the handler returned no Response');
    if (response.bodyUsed) throw new TypeError('the body of the Response has been read already');
    return response;
  } catch (error) {
    if (!onError) throw error;
    return await onError(error);
  }
}

function toRequest(incoming: IncomingMessage, signal: AbortSignal): Request {
  const { method = 'GET', url = '/', rawHeaders } = incoming;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  const init = { method, headers, signal };
  if (!hasBody(incoming)) return new Request(new URL(url, ORIGIN), init);
  const body = Readable.toWeb(incoming) as unknown as BodyInit;
  return new Request(new URL(url, ORIGIN), { ...init, body, duplex: 'half' } as RequestInit);
}

function hasBody({ method, headers }: IncomingMessage): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

async function send(response: Response, method: string, outgoing: ServerResponse): Promise<void> {
  const { status, headers, body } = response;
  outgoing.sendDate = false;
  for (const [name, value] of headers) {
    if (name !== 'set-cookie' && name !== FAULT_HEADER) outgoing.setHeader(name, value);
  }
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) outgoing.setHeader('set-cookie', cookies);
  // An answer to HEAD that is handed on has a length without its bytes: the caller would wait for them.
  if (body === null && method !== 'HEAD') outgoing.removeHeader('content-length');
  outgoing.writeHead(status);
  if (body === null || method === 'HEAD' || WITHOUT_BODY.has(status)) {
    await body?.cancel();
    outgoing.end();
    return;
  }
  // A stream may say its first word long after its status.
  outgoing.flushHeaders();
  await pipeline(Readable.fromWeb(body as ReadableStream), outgoing);
}
