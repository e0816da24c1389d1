import { type ClientRequest, type IncomingMessage, request as openRequest } from 'node:http';
import { Transform } from 'node:stream';
import type { FunctionAnswer, FunctionCall } from '../function-definition.ts';
import { FunctionsError, type FunctionsFault } from '../functions-error.ts';
import { FAULT_HEADER, REQUEST_ID_HEADER } from '../worker/worker-headers.ts';
import type { FunctionWorker, WorkerEnd } from './start-worker.ts';
import type { WorkerLimits } from './worker-process.ts';

/** A process that has lost its connections is about to end; its reason comes a moment later. */
const END_PATIENCE_MS = 2_000;

/**
 * Sends a call to a worker and answers as soon as the function does; bodies flow both ways at the pace of the slower side.
 * @throws FunctionsError
 */
export async function callWorker(
  worker: FunctionWorker,
  call: FunctionCall,
  limits: WorkerLimits,
): Promise<FunctionAnswer> {
  const over = worker.begin();
  let fault: FunctionsFault | undefined;
  const outgoing = open(worker, call);
  const fail = (reason: FunctionsFault) => {
    fault ??= reason;
    outgoing.destroy();
  };
  const endWithCaller = () => fail('aborted');
  call.signal.addEventListener('abort', endWithCaller, { once: true });
  if (call.signal.aborted) endWithCaller();
  // Who does not answer may never end: the worker is left to itself, and replaced.
  const idle = setTimeout(() => fail('timeout'), limits.idleMs);
  const wall = setTimeout(() => fail('timeout'), limits.wallMs);
  const finish = () => {
    clearTimeout(idle);
    clearTimeout(wall);
    call.signal.removeEventListener('abort', endWithCaller);
    // A body that the function did not read would wait for ever.
    if (!outgoing.writableFinished) outgoing.destroy();
    if (fault === 'timeout') worker.retire();
    over();
  };
  sendBody(call, outgoing, limits.bodyBytes, () => fail('too_large'));
  try {
    const incoming = await receive(outgoing);
    clearTimeout(idle);
    // Its reader hears of it too; where nobody reads on, it is no reason to end the server.
    incoming.on('error', () => undefined);
    const finished = new Promise<void>((resolve) => incoming.once('close', resolve));
    void finished.then(finish);
    return present(incoming, finished);
  } catch (cause) {
    finish();
    if (cause instanceof FunctionsError) throw cause;
    throw new FunctionsError(fault ?? (await explain(worker)), { cause });
  }
}

function open(
  worker: FunctionWorker,
  { method, path, headers, body, requestId }: FunctionCall,
): ClientRequest {
  const outgoing = openRequest({
    agent: worker.agent,
    socketPath: worker.socketPath,
    method,
    path,
  });
  for (let at = 0; at < headers.length; at += 2) {
    const [name = '', value = ''] = headers.slice(at, at + 2);
    // The length of a body that is not passed on would count bytes of something else.
    const isCounted = body !== undefined || name.toLowerCase() !== 'content-length';
    if (isEndToEnd(name) && isCounted) outgoing.appendHeader(name, value);
  }
  outgoing.setHeader(REQUEST_ID_HEADER, requestId);
  outgoing.setHeader('host', 'functions.internal');
  // The worker leaves it to this side to close: what it closed by itself would break off a body that is still on its way.
  outgoing.setHeader('connection', 'keep-alive');
  if (body && !outgoing.hasHeader('content-length')) outgoing.setHeader('transfer-encoding', 'chunked');
  return outgoing;
}

function sendBody({ body }: FunctionCall, outgoing: ClientRequest, most: number, exceeded: () => void): void {
  if (!body) {
    outgoing.end();
    return;
  }
  const limited = limitBody(most, exceeded);
  const { stream } = body;
  stream.pipe(limited).pipe(outgoing);
  // The caller still has to be told: its connection outlives the worker's.
  outgoing.once('close', () => {
    stream.unpipe(limited);
    stream.resume();
  });
}

/** @throws when the connection ends before there is an answer, and FunctionsError for an answer that is none. */
async function receive(outgoing: ClientRequest): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  outgoing.once('response', resolve);
  outgoing.on('error', reject);
  outgoing.once('close', () => reject(new Error('the worker ended the connection')));
  const incoming = await promise;
  const found = incoming.headers[FAULT_HEADER];
  if (found === undefined) return incoming;
  incoming.resume();
  throw new FunctionsError(found === 'memory' ? 'exhausted' : 'crashed');
}

function present(incoming: IncomingMessage, finished: Promise<void>): FunctionAnswer {
  const { statusCode = 502, rawHeaders } = incoming;
  const headers: [string, string][] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    if (isEndToEnd(name)) headers.push([name.toLowerCase(), value]);
  }
  return { status: statusCode, headers, body: incoming, finished };
}

const FAULTS: Readonly<Record<WorkerEnd, FunctionsFault>> = {
  retired: 'crashed',
  crashed: 'crashed',
  boot: 'boot',
  memory: 'exhausted',
  cpu: 'exhausted',
};

async function explain(worker: FunctionWorker): Promise<FunctionsFault> {
  const patience = Promise.withResolvers<WorkerEnd>();
  const timer = setTimeout(() => patience.resolve('crashed'), END_PATIENCE_MS);
  const end = await Promise.race([worker.ended, patience.promise]);
  clearTimeout(timer);
  return FAULTS[end];
}

/** Passes bytes on up to a limit. @param exceeded is called once, with the first byte beyond it; nothing goes on then. */
function limitBody(bytes: number, exceeded: () => void): Transform {
  let seen = 0;
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      const wasWithin = seen <= bytes;
      seen += chunk.length;
      if (seen <= bytes) return done(null, chunk);
      if (wasWithin) exceeded();
      done();
    },
  });
}

/** Headers of one connection, which say nothing on the next (RFC 9110, section 7.6.1), and those that the server sets itself. */
const HOP_BY_HOP = new Set([
  'connection',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Whether a header is passed on between caller and function. */
function isEndToEnd(name: string): boolean {
  return !HOP_BY_HOP.has(name.toLowerCase());
}
