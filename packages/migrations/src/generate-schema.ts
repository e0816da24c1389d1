import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmbeddedPostgres } from '@linkoteca/embedded-postgres/start-embedded-postgres';
import pg from 'pg';
import { applyMigrations } from './apply-migrations.ts';
import { printSchema } from './print-schema.ts';

/** Builds a database from the migrations and writes `supabase/schema.sql` from what it finds there. */
async function generateSchema(): Promise<void> {
  const folder = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
  const place = mkdtempSync(join(tmpdir(), 'linkoteca-schema-'));
  const postgres = await startEmbeddedPostgres({ dataFolder: join(place, 'postgres'), durable: false });
  const client = new pg.Client(postgres.connection);
  try {
    await applyMigrations({
      connect: postgres.connection,
      platformFolder: folder('apps/server/platform'),
      migrationsFolder: folder('supabase/migrations'),
    });
    await client.connect();
    writeFileSync(folder('supabase/schema.sql'), await printSchema(client));
  } finally {
    await client.end();
    await postgres.stop();
    rmSync(place, { recursive: true, force: true });
  }
}

await generateSchema();
