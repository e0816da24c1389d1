import { type Database, queryAboutCallers } from '../database.ts';
import type { Fault } from './create-probe.ts';

/** What must be recorded in the database before this version of the server may serve. */
export type RequiredMigrations = {
  readonly platform: readonly string[];
  readonly product: readonly string[];
};

const RECORDED = `
  select
    (select count(*) from linkoteca_platform.migrations where name = any($1))
    + (select count(*) from supabase_migrations.schema_migrations where version = any($2)) as recorded
`;

/** Whether the database answers, and has every migration that this version of the server needs. */
export async function askDatabase(db: Database, { platform, product }: RequiredMigrations): Promise<Fault> {
  try {
    const { rows } = await queryAboutCallers<{ readonly recorded: string }>(db, 'service_role', {
      name: 'health',
      text: RECORDED,
      values: [platform, product],
    });
    const missing = platform.length + product.length - Number(rows[0]?.recorded ?? 0);
    return missing === 0 ? undefined : 'migrations';
  } catch {
    return 'database';
  }
}
