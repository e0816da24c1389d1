import { asServiceRole, type Database } from '../database.ts';

export type Health = { readonly status: 'ok' } | { readonly status: 'unavailable'; readonly reason: string };

/** What must be recorded in the database before this version of the server may serve. */
export type RequiredMigrations = {
  readonly platform: readonly string[];
  readonly product: readonly string[];
};

const PATIENCE_MILLISECONDS = 3_000;

const CHECK = `
  select
    (select count(*) from linkoteca_platform.migrations where name = any($1))
    + (select count(*) from supabase_migrations.schema_migrations where version = any($2)) as recorded
`;

/**
 * Makes the health check: healthy when the database answers in time, every migration is recorded and rights are what they
 * make. Checks that are asked for while one is under way share its answer, so that a monitor cannot fill the pool.
 */
export function createHealthCheck(
  db: Database,
  required: RequiredMigrations,
  rightsDifference: () => string | undefined = () => undefined,
): () => Promise<Health> {
  let underWay: Promise<Health> | undefined;
  return async () => {
    const difference = rightsDifference();
    if (difference !== undefined) return { status: 'unavailable', reason: `rights: ${difference}` };
    underWay ??= withPatience(check(db, required)).finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
}

async function check(db: Database, { platform, product }: RequiredMigrations): Promise<Health> {
  try {
    const { rows } = await asServiceRole(db, 'health check', (tx) =>
      tx.query<{ recorded: string }>({ name: 'health', text: CHECK, values: [platform, product] }),
    );
    const missing = platform.length + product.length - Number(rows[0]?.recorded ?? 0);
    return missing === 0 ? { status: 'ok' } : { status: 'unavailable', reason: 'migrations' };
  } catch {
    return { status: 'unavailable', reason: 'database' };
  }
}

async function withPatience(answer: Promise<Health>): Promise<Health> {
  const late = Promise.withResolvers<Health>();
  const timer = setTimeout(
    () => late.resolve({ status: 'unavailable', reason: 'database' }),
    PATIENCE_MILLISECONDS,
  );
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
