import type { ClientConfig } from 'pg';

/** Parameters that say where the server is, or as whom one comes: they are in the address already. */
const PLACES = new Set(['host', 'port', 'user', 'password', 'dbname', 'database', 'options']);

/**
 * The address of the database for functions (`SUPABASE_DB_URL`): the login role of the server's own pool, which has no rights
 * of its own and acts as `service_role` from the start. Drivers that read libpq's addresses understand it, sockets included.
 * @param connect of the pool.
 * @param source the operator's own address, whose other parameters (`sslmode`) are kept.
 */
export function describeDatabaseUrl(connect: ClientConfig, source?: string): string {
  const {
    host = 'localhost',
    port = 5432,
    user = 'authenticator',
    password,
    database = 'postgres',
  } = connect;
  const login = typeof password === 'string' ? `${user}:${encodeURIComponent(password)}` : user;
  const parameters = new URLSearchParams(source?.split('?')[1] ?? '');
  const options = [parameters.get('options'), '-c role=service_role']
    .filter((part) => part !== null)
    .join(' ');
  const kept = [...parameters].filter(([name]) => !PLACES.has(name));
  const query = [...kept, ['options', options]]
    .map(([name = '', value = '']) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  const place = host.includes('/') ? encodeURIComponent(host) : host.includes(':') ? `[${host}]` : host;
  return `postgresql://${login}@${place}:${port}/${encodeURIComponent(database)}?${query}`;
}
