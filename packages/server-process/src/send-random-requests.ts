import { Agent, request as send } from 'node:http';
import { createRequestSource, type RandomRequest } from './random-requests.ts';
import type { KnownThings } from './random-values.ts';

/** A request whose answer a server must never give. */
export type BadAnswer = {
  readonly request: RandomRequest;
  readonly status: number;
  /** The answer's beginning, or why there was none. */
  readonly text: string;
};

export type RandomRun = {
  readonly sent: number;
  readonly byStatus: Readonly<Record<number, number>>;
  readonly longestBytes: number;
  readonly bad: readonly BadAnswer[];
};

export type RandomRunOptions = {
  readonly url: string;
  readonly known: KnownThings;
  readonly seed: number;
  readonly count: number;
  /** Answers at most this long are well. */
  readonly mostBytes: number;
};

const AT_ONCE = 16;
const PATIENCE_MS = 30_000;

/**
 * Sends random requests and keeps those whose answer is a 5xx, too long, or none at all. The places, the payment provider and
 * other sites that a function asks may really be away: 502 and 504 of functions are an answer.
 */
export async function sendRandomRequests(options: RandomRunOptions): Promise<RandomRun> {
  const { url, known, seed, count, mostBytes } = options;
  const next = createRequestSource(seed, known);
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const byStatus: Record<number, number> = {};
  const bad: BadAnswer[] = [];
  let longestBytes = 0;
  let left = count;
  const work = async () => {
    while (left > 0) {
      left -= 1;
      const request = next();
      const answer = await ask(agent, url, request);
      byStatus[answer.status] = (byStatus[answer.status] ?? 0) + 1;
      longestBytes = Math.max(longestBytes, answer.bytes);
      if (isBad(request, answer.status) || answer.bytes > mostBytes)
        bad.push({ request, status: answer.status, text: answer.text });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  agent.destroy();
  return { sent: count, byStatus, longestBytes, bad };
}

function isBad({ path }: RandomRequest, status: number): boolean {
  if (path.startsWith('/functions/v1/') && (status === 502 || status === 504)) return false;
  return status >= 500 || status === 0;
}

type Answer = { readonly status: number; readonly bytes: number; readonly text: string };

/**
 * node:http rather than fetch: it sends a path as it is written. Status 0 stands for no answer. A connection that is kept may be
 * closed just as the request comes, which says nothing of the request: it is sent once more, on a new one.
 */
function ask(agent: Agent, url: string, request: RandomRequest, isSecond = false): Promise<Answer> {
  const { method, path, headers, body } = request;
  const { hostname, port } = new URL(url);
  // Node frames the body of a DELETE by itself only where its length is said.
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((resolve) => {
    try {
      const sending = send(
        { agent: isSecond ? false : agent, hostname, port, method, path, headers: { ...headers, ...length } },
        (answer) => {
          let bytes = 0;
          let text = '';
          answer.on('data', (chunk: Buffer) => {
            bytes += chunk.length;
            if (text.length < 500) text += chunk.toString('utf8', 0, 500);
          });
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, bytes, text }));
          answer.on('error', fail);
        },
      );
      function fail(error: NodeJS.ErrnoException): void {
        const wasClosed = error.code === 'ECONNRESET' || error.code === 'EPIPE';
        if (wasClosed && !isSecond) resolve(ask(agent, url, request, true));
        else resolve({ status: 0, bytes: 0, text: error.message });
      }
      sending.setTimeout(PATIENCE_MS, () => sending.destroy(new Error('no answer in time')));
      sending.on('error', fail);
      sending.end(body);
    } catch {
      // What cannot be sent at all (a header with a line break) is no request.
      resolve({ status: 400, bytes: 0, text: '' });
    }
  });
}
