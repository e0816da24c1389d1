import { writeFileSync } from 'node:fs';
import { describeApi } from './describe-api.ts';
import { EXAMPLE_SETTINGS } from './example-settings.ts';
import { OPERATIONS } from './operations/all-operations.ts';

// Writes the document from which the client in packages/api-client is generated. Run it where the API has changed, and then
// packages/api-client/src/generate-api-client.ts.
const document = describeApi(OPERATIONS, EXAMPLE_SETTINGS);
writeFileSync(
  new URL('../../../../../packages/api-client/openapi.json', import.meta.url),
  `${JSON.stringify(document, null, 2)}\n`,
);
