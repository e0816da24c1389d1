import { PostgrestClient } from '@supabase/postgrest-js';
import type { DatabaseClient } from '../lib/supabase/create-database-client.ts';

export interface FakeRequest {
  readonly method: string;
  /** Relation or function: 'folders', 'rpc/search_links'. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

export interface FakeAnswer {
  readonly status?: number;
  readonly body: unknown;
}

type Respond = (request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>;

/** The real table client over answers that a test writes. Rows asked for one by one may be given as a list. */
export function createFakeDatabase(respond: Respond): DatabaseClient {
  const request: typeof fetch = async (input, init) => {
    const url = new URL(String(input));
    const answer = await respond({
      method: init?.method ?? 'GET',
      path: url.pathname.replace('/rest/v1/', ''),
      query: url.searchParams,
      body: typeof init?.body === 'string' ? JSON.parse(init.body) : null,
    });
    return new Response(JSON.stringify(answer.body), {
      status: answer.status ?? 200,
      headers: { 'content-type': 'application/json' },
    });
  };
  return new PostgrestClient('http://servico.exemplo/rest/v1', { fetch: request, retry: false });
}
