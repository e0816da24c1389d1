import { writeFileSync } from 'node:fs';
import { startTestCluster } from '@linkoteca/test-kit/start-test-cluster';
import pg from 'pg';
import { readSchema } from './read-schema.ts';
import { renderDatabaseTypes } from './render-database-types.ts';

/** Builds a database from the migrations and writes `database.ts` from what it finds there. */
async function generateDatabaseTypes(): Promise<void> {
  const { stop, host, port, user, template } = await startTestCluster();
  const client = new pg.Client({ host, port, user, database: template });
  try {
    await client.connect();
    const source = renderDatabaseTypes(await readSchema(client));
    writeFileSync(new URL('./database.ts', import.meta.url), source);
  } finally {
    await client.end();
    await stop();
  }
}

await generateDatabaseTypes();
