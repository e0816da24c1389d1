import { createClient } from '@supabase/supabase-js';
import pg from 'pg';

const read = (name: string) => Deno.env.get(name) ?? '';

/** What a function can do with each way to the data: as its caller, as the service, and straight in SQL. */
Deno.serve(async (request) => {
  const url = read('SUPABASE_URL');
  const Authorization = request.headers.get('authorization') ?? '';
  const asCaller = createClient(url, read('SUPABASE_ANON_KEY'), {
    auth: { persistSession: false },
    global: { headers: { Authorization } },
  });
  const asService = createClient(url, read('SUPABASE_SERVICE_ROLE_KEY'), { auth: { persistSession: false } });
  const user = await asCaller.auth.getUser(Authorization.replace(/^Bearer /, ''));
  const own = await asCaller.from('folders').select('name');
  const all = await asService.from('folders').select('id', { count: 'exact', head: true });
  const database = new pg.Client({ connectionString: read('SUPABASE_DB_URL') });
  await database.connect();
  const { rows } = await database.query(
    `select current_user, session_user, count(*)::int as folders,
      (select rolsuper from pg_roles where rolname = session_user) as is_superuser
     from public.folders`,
  );
  await database.end();
  return Response.json({
    user: user.data.user?.email ?? null,
    own: own.data,
    all: all.count,
    database: rows[0],
    error: own.error?.message ?? all.error?.message ?? null,
  });
});
