import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { describeApi } from './describe-api.ts';
import { EXAMPLE_SETTINGS } from './example-settings.ts';
import { OPERATIONS } from './operations/all-operations.ts';

it('is the document from which the client is generated: run generate-document.ts, then generate-api-client.ts', async () => {
  const kept = await readFile(
    new URL('../../../../../packages/api-client/openapi.json', import.meta.url),
    'utf8',
  );
  expect(JSON.parse(kept)).toEqual(JSON.parse(JSON.stringify(describeApi(OPERATIONS, EXAMPLE_SETTINGS))));
});
