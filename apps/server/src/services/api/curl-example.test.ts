import { expect, it } from 'vitest';
import { curlExample } from './curl-example.ts';
import { OPERATIONS } from './operations/all-operations.ts';

const SERVER = 'https://links.test/api/v1';

it('names ids by what they are of, and content in one pair of quotation marks', () => {
  const commands = OPERATIONS.map((operation) => curlExample(operation, SERVER));
  expect(commands).toContain(`curl -sS -X DELETE "${SERVER}/links/$LINK_ID" \\
  -H "Authorization: Bearer $LINKOTECA_TOKEN"`);
  expect(commands).toContain(`curl -sS -X PATCH "${SERVER}/categories/$CATEGORY_ID" \\
  -H "Authorization: Bearer $LINKOTECA_TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '{"description":"Doces e salgados"}'`);
});

it('lets no text of an example end its quotation', () => {
  const [operation] = OPERATIONS.filter(({ name }) => name === 'createCategory');
  if (operation === undefined) throw new Error('no such operation');
  const command = curlExample({ ...operation, example: { content: { name: "d'água $ID" } } }, SERVER);
  expect(command).toContain(`-d '{"name":"d'\\''água '"$ID"'"}'`);
});
