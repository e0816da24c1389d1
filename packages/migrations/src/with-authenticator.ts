import type pg from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';

/** The same server and database, as the role the server's own pool logs in as. */
export function withAuthenticator(connect: pg.ClientConfig, password?: string): pg.ClientConfig {
  const { connectionString, ...rest } = connect;
  const named = connectionString === undefined ? {} : parseIntoClientConfig(connectionString);
  return { ...named, ...rest, user: 'authenticator', password };
}
