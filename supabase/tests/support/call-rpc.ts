import type { ThrowawayDatabase } from '@linkoteca/test-kit/create-throwaway-database';
import pg from 'pg';

/** The table API's functions (`POST /rest/v1/rpc/NAME`), without a server between; who may call them is tested elsewhere. */
export function callRpc(database: ThrowawayDatabase): typeof fetch {
  return async (input, init) => {
    const name = new URL(String(input)).pathname.replace('/rest/v1/rpc/', '');
    const args: Record<string, unknown> = JSON.parse(String(init?.body));
    const names = Object.keys(args).map((key, at) => `${key} => $${at + 1}`);
    const values = Object.values(args).map((value) =>
      typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
    );
    try {
      const call = `public.${name}(${names.join(', ')})`;
      const isList = name.startsWith('list_');
      const answer = isList ? `coalesce((select json_agg(r) from (select * from ${call}) r), '[]')` : call;
      const { rows } = await database.admin.query(`select to_json(${answer}) as answer`, values);
      return Response.json(rows[0]?.answer ?? null);
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) throw error;
      return Response.json({ code: error.code, message: error.message }, { status: 400 });
    }
  };
}
