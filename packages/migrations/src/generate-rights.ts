import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmbeddedPostgres } from '@linkoteca/embedded-postgres/start-embedded-postgres';
import pg from 'pg';
import { applyMigrations } from './apply-migrations.ts';
import { listRights } from './list-rights.ts';

/** Builds a database from the migrations and writes `expected-rights.txt` from what it finds there. */
async function generateRights(): Promise<void> {
  const folder = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
  const place = mkdtempSync(join(tmpdir(), 'linkoteca-rights-'));
  const postgres = await startEmbeddedPostgres({ dataFolder: join(place, 'postgres'), durable: false });
  const client = new pg.Client(postgres.connection);
  try {
    await applyMigrations({
      connect: postgres.connection,
      platformFolder: folder('apps/server/platform'),
      migrationsFolder: folder('supabase/migrations'),
    });
    await client.connect();
    const lines = await listRights(client);
    writeFileSync(new URL('./expected-rights.txt', import.meta.url), `${lines.join('\n')}\n`);
  } finally {
    await client.end();
    await postgres.stop();
    rmSync(place, { recursive: true, force: true });
  }
}

await generateRights();
