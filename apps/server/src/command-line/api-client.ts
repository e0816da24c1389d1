import { setTimeout as wait } from 'node:timers/promises';
import { CommandError } from './command-error.ts';
import type { Credentials } from './credentials.ts';

type Query = Readonly<Record<string, string | undefined>>;

/** `/api/v1` of an installation, as a person. */
export type ApiClient = {
  get<T>(path: string, query?: Query): Promise<T>;
  /** @param key under which it may be sent again */
  post<T>(path: string, content: object, key: string): Promise<T>;
  /** Every item of a list, page by page. */
  list<T>(path: string, query?: Query): AsyncGenerator<T>;
};

/** So often a request is sent again that the server could not take yet. */
const MOST_ATTEMPTS = 5;
const LONGEST_WAIT_SECONDS = 120;

/** @param pause waits so many milliseconds; another one for tests */
export function createApiClient(
  { url, token }: Credentials,
  pause: (milliseconds: number) => Promise<unknown> = wait,
): ApiClient {
  async function send<T>(path: string, request: RequestInit): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const reply = await fetch(`${url}/api/v1${path}`, {
        ...request,
        headers: { authorization: `Bearer ${token}`, accept: 'application/json', ...request.headers },
        // A token goes to the address that was named, and to no other.
        redirect: 'error',
      }).catch((error: unknown) => {
        throw new CommandError(`${url} não responde: ${describeCause(error)}`);
      });
      const seconds = Number(reply.headers.get('retry-after') ?? 'NaN');
      const isLater = [429, 503].includes(reply.status) && seconds <= LONGEST_WAIT_SECONDS;
      if (!isLater || attempt === MOST_ATTEMPTS) return readReply<T>(reply, url);
      await pause(seconds * 1000);
    }
  }

  const client: ApiClient = {
    get: (path, query = {}) => send(`${path}${writeQuery(query)}`, {}),
    post: (path, content, key) =>
      send(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify(content),
      }),
    async *list<T>(path: string, query: Query = {}) {
      let cursor: string | undefined;
      do {
        const page = await client.get<{ data: readonly T[]; next_cursor: string | null }>(path, {
          ...query,
          cursor,
        });
        yield* page.data;
        cursor = page.next_cursor ?? undefined;
      } while (cursor !== undefined);
    },
  };
  return client;
}

function writeQuery(query: Query): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

async function readReply<T>(reply: Response, url: string): Promise<T> {
  const text = await reply.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new CommandError(`${url} não respondeu como uma Linkoteca (${reply.status}).`);
  }
  if (reply.ok) return body as T;
  const { detail } = body as { readonly detail?: unknown };
  throw new CommandError(
    typeof detail === 'string' ? detail : `${url} respondeu ${reply.status}.`,
    reply.status,
  );
}

function describeCause(error: unknown): string {
  const { cause } = error as { readonly cause?: { readonly code?: string; readonly message?: string } };
  return cause?.code ?? cause?.message ?? String(error);
}
