/** How a program in JavaScript or TypeScript calls the API; a test runs the same calls. */
export const CLIENT_SAMPLE = `import { connectLinkoteca, createLink, listLinks } from '@linkoteca/api-client';

const client = connectLinkoteca({ siteUrl: 'SITE', token: process.env.LINKOTECA_TOKEN });

const { data: link, error } = await createLink({
  client,
  body: { url: 'https://exemplo.com.br/bolo', tags: ['receitas'] },
  headers: { 'Idempotency-Key': crypto.randomUUID() },
});
if (error) throw new Error(error.code + ': ' + error.detail);

let cursor;
do {
  const { data: page } = await listLinks({ client, query: { cursor, limit: 100 }, throwOnError: true });
  for (const one of page.data) console.log(one.title);
  cursor = page.next_cursor ?? undefined;
} while (cursor);`;

export const CLIENT_RULES = [
  'packages/api-client of the project is generated from this document: an operation is a function of its name here, with the types of its parameters, content and answers. It is JavaScript without dependencies, for Node 20 or later, browsers, Deno and Bun; npm pack -w packages/api-client makes the file that a project installs.',
  'An answer is { data } or { error }, which is a problem (below); with throwOnError the problem is thrown. No redirect is followed, so that a token goes nowhere else.',
];
