/**
 * What Postgres sees of the environment: nothing of the person's (PG… variables would change its settings, a locale may
 * not exist on the machine), only where the system keeps its programs.
 */
export const POSTGRES_ENVIRONMENT: NodeJS.ProcessEnv = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
};
