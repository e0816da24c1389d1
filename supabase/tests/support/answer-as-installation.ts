import type { ThrowawayDatabase } from '@linkoteca/test-kit/create-throwaway-database';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { callRpc } from './call-rpc.ts';

/**
 * The installation as functions reach it, without a server between: what the database offers, and the rows a person may read
 * (`GET /rest/v1/TABLE?select=COLUMN&FIELD=eq.VALUE`). Tokens are read, not verified: the server does that elsewhere.
 */
export function answerAsInstallation(database: ThrowawayDatabase): typeof fetch {
  const rpc = callRpc(database);
  return async (input, init) => {
    const url = new URL(String(input));
    if (url.pathname.includes('/rpc/')) return await rpc(input, init);
    const token = new Headers(init?.headers).get('authorization')?.split('.')[1] ?? '';
    const { sub } = JSON.parse(Buffer.from(token, 'base64url').toString());
    const { select = '*', ...filters } = Object.fromEntries(url.searchParams);
    const [[field, value] = ['', '']] = Object.entries(filters);
    const text = `select ${select} from public.${url.pathname.split('/').at(-1)} where ${field} = $1`;
    const { rows } = await queryAs(database, { id: sub, email: '' }, text, [value.replace('eq.', '')]);
    return Response.json(rows);
  };
}
