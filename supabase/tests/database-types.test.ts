import { readFileSync } from 'node:fs';
import { readSchema } from '@linkoteca/database-types/read-schema';
import { renderDatabaseTypes } from '@linkoteca/database-types/render-database-types';
import { createThrowawayDatabase } from '@linkoteca/test-kit/create-throwaway-database';
import { expect, test } from 'vitest';

test('the generated types describe the schema the migrations build', async () => {
  const database = await createThrowawayDatabase();
  try {
    const expected = renderDatabaseTypes(await readSchema(database.admin));
    const written = readFileSync(
      new URL('../../packages/database-types/src/database.ts', import.meta.url),
      'utf8',
    );
    expect(written, 'run: node packages/database-types/src/generate-database-types.ts').toBe(expected);
  } finally {
    await database.drop();
  }
});
