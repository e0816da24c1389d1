import { describe, expect, it } from 'vitest';
import { CLIENT_SAMPLE } from './client-guide.ts';
import { describeApi } from './describe-api.ts';
import { type ApiDescription, presentDocumentation } from './documentation.ts';
import { OPERATIONS } from './operations/all-operations.ts';
import { PROBLEMS } from './problem.ts';
import { describeType, listFields } from './schema-text.ts';
import { WEBHOOK_EVENTS } from './webhook-guide.ts';

const document = describeApi(OPERATIONS, {
  siteUrl: 'https://links.test',
  oauthServerEnabled: true,
}) as ApiDescription;
const page = presentDocumentation(document);
const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);

describe('the page of the API', () => {
  it('shows every operation with its command', () => {
    for (const { name, path, method } of OPERATIONS) {
      expect(ids).toContain(name);
      expect(page).toContain(`<code>${method} ${path}</code>`);
    }
    expect(page.match(/<pre><code>curl /g)).toHaveLength(OPERATIONS.length);
  });

  it('has a place for each problem, where the address of its type leads', () => {
    for (const code of Object.keys(PROBLEMS)) expect(ids).toContain(code);
  });

  it('shows how the generated client calls this installation', () => {
    expect(ids).toContain('client');
    expect(page).toContain('siteUrl: &#39;https://links.test&#39;');
    const named = [...CLIENT_SAMPLE.matchAll(/await (\w+)\(/g)].map(([, name]) => name);
    expect(named).toEqual(['createLink', 'listLinks']);
    for (const name of named) expect(OPERATIONS.map((one) => one.name)).toContain(name);
  });

  it('says what webhooks are told', () => {
    for (const event of Object.keys(WEBHOOK_EVENTS)) expect(page).toContain(`<code>${event}</code>`);
    expect(page).toContain('import { Webhook } from &#39;standardwebhooks&#39;');
  });

  it('links to nothing that is not there, and names no place twice', () => {
    const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links.length).toBeGreaterThan(20);
    for (const link of links) expect(ids).toContain(link);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('runs nothing, also where the document has markup in it', () => {
    const hostile = structuredClone(document) as { info: { title: string; description: string } };
    hostile.info = {
      ...hostile.info,
      title: '</title><script>alert(1)</script>',
      description: `"'><img src=x>`,
    };
    const shown = presentDocumentation(hostile as ApiDescription);
    expect(shown).not.toMatch(/<script|<img|\son\w+=/i);
    expect(shown).toContain('&quot;&#39;&gt;&lt;img src=x&gt;');
  });
});

describe('a schema in words', () => {
  it.each([
    [{ $ref: '#/components/schemas/Link' }, 'Link'],
    [{ type: 'array', items: { $ref: '#/components/schemas/Link' } }, 'array of Link'],
    [
      { type: 'array', items: { type: 'string', maxLength: 5 }, maxItems: 2 },
      'array of string (at most 5 characters), at most 2',
    ],
    [{ anyOf: [{ type: 'string', format: 'uuid' }, { type: 'null' }] }, 'string (uuid) or null'],
    [{ type: 'integer', minimum: 1, maximum: 100 }, 'integer (1 to 100)'],
    [{ enum: ['a', 'b'] }, 'a | b'],
    [{ const: 'true' }, '"true"'],
    [{ type: 'object', properties: { a: { type: 'boolean' } } }, '{ a: boolean }'],
    [{}, 'any'],
  ])('%j', (schema, words) => {
    expect(describeType(schema)).toBe(words);
  });

  it('finds what a field that may be null means', () => {
    const schema = { properties: { a: { anyOf: [{ type: 'string', description: 'x' }, { type: 'null' }] } } };
    expect(listFields(schema)).toEqual([{ name: 'a', isRequired: false, type: 'string or null', text: 'x' }]);
  });
});
