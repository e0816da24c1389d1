import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  MIGRATION_FOLDERS,
  type RunningTestCluster,
  startTestCluster,
} from '@linkoteca/test-kit/start-test-cluster';
import pg from 'pg';
import { splitStatements } from './split-statements.ts';

export type HostedPlatform = {
  /** The platform's own account, a superuser. */
  readonly owner: pg.Client;
  /** The project's: it owns what the migrations make. */
  readonly postgres: pg.Client;
  /** Applies all migrations of the product as the platform's command line does. */
  pushMigrations(): Promise<void>;
  stop(): Promise<void>;
};

/** What of `apps/server/platform` a hosted project has as well: roles, helpers, GoTrue's tables, realtime, storage. */
const PLATFORM = [
  '0001_roles.sql',
  '0002_schemas.sql',
  '0003_auth_helpers.sql',
  '0004_auth_tables.sql',
  '0005_realtime.sql',
  '0008_storage.sql',
];

/** As the platform's public sources make it: `postgres` is no superuser and a member of the request roles alone. */
const PROJECT = `
  create role postgres login createrole createdb replication bypassrls;
  alter role postgres set search_path = "$user", public, extensions;
  alter database postgres owner to postgres;
  grant anon, authenticated, service_role, authenticator to postgres;
  grant all on schema public, extensions to postgres;
  grant usage on schema auth, storage, realtime to postgres;
  grant all on all tables in schema auth, storage, realtime to postgres with grant option;
  grant execute on all functions in schema auth, storage, realtime to postgres;
  alter publication supabase_realtime owner to postgres;
  alter default privileges for role postgres in schema public grant all on tables to anon, authenticated, service_role;
  alter default privileges for role postgres in schema public grant all on functions to anon, authenticated, service_role;
  alter default privileges for role postgres in schema public grant all on sequences to anon, authenticated, service_role;
`;

/** Policies on these are written as the platform's owner (supautils, `policy_grants`); nothing else of them may be altered. */
const PLATFORM_POLICY =
  /^(?:--.*\s+)*(?:create|alter|drop) policy\s[^;]*?\son (?:storage\.objects|storage\.buckets|realtime\.messages)\s/i;

/** Starts a Postgres that stands in for a new project on the hosted platform. */
export async function startHostedPlatform(options: { readonly binaries?: string }): Promise<HostedPlatform> {
  const cluster = await startTestCluster({ migrated: false, ...options });
  const opened: pg.Client[] = [];
  const connect = async (user: string) => {
    const client = new pg.Client({ host: cluster.host, port: cluster.port, user, database: 'postgres' });
    opened.push(client);
    await client.connect();
    return client;
  };
  const stop = async () => {
    await Promise.all(opened.map((client) => client.end()));
    await cluster.stop();
  };
  try {
    await renameSuperuser(cluster, connect);
    const owner = await connect('supabase_admin');
    for (const name of PLATFORM) {
      const text = readFileSync(join(MIGRATION_FOLDERS.platformFolder, name), 'utf8');
      await owner.query(`begin; ${text}; commit`);
    }
    await owner.query(PROJECT);
    const postgres = await connect('postgres');
    return { owner, postgres, pushMigrations: () => pushMigrations(owner, postgres), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Nobody can rename the account they are logged in as. */
async function renameSuperuser(cluster: RunningTestCluster, connect: (user: string) => Promise<pg.Client>) {
  const first = await connect(cluster.user);
  await first.query('create role renamer superuser login');
  const renamer = await connect('renamer');
  await renamer.query(`alter role ${cluster.user} rename to supabase_admin`);
}

/** Statement by statement, and no transaction is opened around them. */
async function pushMigrations(owner: pg.Client, postgres: pg.Client): Promise<void> {
  const folder = MIGRATION_FOLDERS.migrationsFolder;
  for (const name of readdirSync(folder).toSorted()) {
    for (const [index, statement] of splitStatements(readFileSync(join(folder, name), 'utf8')).entries()) {
      const client = PLATFORM_POLICY.test(statement) ? owner : postgres;
      await client.query(statement).catch((cause: unknown) => {
        throw new Error(`${name}, statement ${index + 1}: ${String(cause)}\n${statement}`, { cause });
      });
    }
  }
}
