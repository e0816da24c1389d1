import { readFileSync } from 'node:fs';
import { printSchema } from '@linkoteca/migrations/print-schema';
import { createThrowawayDatabase } from '@linkoteca/test-kit/create-throwaway-database';
import { expect, test } from 'vitest';

test('the schema that is there to be read is what the migrations make', async () => {
  const database = await createThrowawayDatabase();
  const client = await database.admin.connect();
  try {
    const written = readFileSync(new URL('../schema.sql', import.meta.url), 'utf8');
    expect(written, 'run: node packages/migrations/src/generate-schema.ts').toBe(await printSchema(client));
  } finally {
    client.release();
    await database.drop();
  }
});
