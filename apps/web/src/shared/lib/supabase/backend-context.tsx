import type { GoTrueClient } from '@supabase/auth-js';
import { createContext, use } from 'react';
import type { AppConfig } from '../load-app-config.ts';
import type { DatabaseClient } from './create-database-client.ts';
import type { AuthLink } from './read-auth-link.ts';

/** What is known and open from the first paint on. */
export interface Backend {
  readonly config: AppConfig;
  readonly auth: GoTrueClient;
  /** How the person arrived, read before anything tidied the address. */
  readonly authLink: AuthLink;
}

export const BackendContext = createContext<Backend | null>(null);

/** The services' clients. For api/ hooks only: components call those. */
export function useBackend(): Backend {
  const backend = use(BackendContext);
  if (!backend) throw new Error('useBackend needs a BackendContext above it');
  return backend;
}

/** The table client, which only screens that show data bring along: the sign-in screens start without its code. */
export const DatabaseContext = createContext<DatabaseClient | null>(null);

/** The table client. For api/ hooks only. */
export function useDatabase(): DatabaseClient {
  const database = use(DatabaseContext);
  if (!database) throw new Error('useDatabase needs a DatabaseContext above it');
  return database;
}
