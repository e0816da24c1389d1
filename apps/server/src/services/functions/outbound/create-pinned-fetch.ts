import { type IncomingMessage, request as requestOverHttp } from 'node:http';
import type { Socket } from 'node:net';
import {
  type FetchPage,
  PAGE_REQUEST_HEADERS,
  type PageResponse,
  type PageWish,
} from '../../../../../../supabase/functions/link-preview/fetch-page.ts';
import { decodeBody } from './decode-body.ts';
import { createPublicConnection, type PublicConnectionDeps } from './open-public-connection.ts';

const MAX_HEADER_BYTES = 32_768;

/** Fetches pages of the internet and of nothing else. */
export function createPinnedFetch(deps: PublicConnectionDeps = {}): FetchPage {
  const open = createPublicConnection(deps);
  return async (url, signal, wish) => {
    const answer = await ask(url, await open(url, signal), signal, wish);
    return present(answer, wish?.maxWireBytes);
  };
}

async function ask(url: URL, socket: Socket, signal: AbortSignal, wish?: PageWish): Promise<IncomingMessage> {
  const outgoing = requestOverHttp({
    createConnection: () => socket,
    path: `${url.pathname}${url.search}`,
    headers: {
      ...PAGE_REQUEST_HEADERS,
      ...(wish ? { accept: wish.accept } : {}),
      host: url.host,
      'accept-encoding': 'gzip, br',
      connection: 'close',
    },
    maxHeaderSize: MAX_HEADER_BYTES,
    signal,
  });
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  outgoing.once('response', resolve);
  // It may fail again after it has answered, when the connection is cut: then the body's reader hears of it.
  outgoing.on('error', reject);
  outgoing.once('close', () => reject(new Error('the connection ended without an answer')));
  outgoing.end();
  return await promise;
}

function present(incoming: IncomingMessage, maxWireBytes?: number): PageResponse {
  let body: AsyncIterable<Uint8Array> | undefined;
  return {
    status: incoming.statusCode ?? 0,
    headers: {
      get(name) {
        const value = incoming.headers[name];
        return (Array.isArray(value) ? value[0] : value) ?? null;
      },
    },
    // Only who reads a body needs to know its encoding.
    get body() {
      body ??= decodeBody(incoming, maxWireBytes);
      return body;
    },
  };
}
