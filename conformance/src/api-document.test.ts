import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { type ApiDocument, createAnswerCheck, openApi, readApiDocument } from './support/call-api.ts';
import { createPersonalToken } from './support/connect-assistant.ts';
import { createPerson, type Person } from './support/create-person.ts';
import { createShelf } from './support/create-shelf.ts';
import { required } from './support/required.ts';

const deployment = inject('deployment');

let document: ApiDocument;
let person: Person;
beforeAll(async () => {
  document = await readApiDocument(deployment);
  person = await createPerson(deployment, { plan: 'pro' });
});

describe('the document of the plain API', () => {
  test('is OpenAPI 3.1, and every reference in it leads somewhere', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(document));
    expect(errors).toBeUndefined();
    expect([valid, validator.version]).toEqual([true, '3.1']);
    expect(() => validator.resolveRefs()).not.toThrow();
  });

  test('is the same for everybody, and pages of other origins may read it', async () => {
    const reply = await fetch(`${deployment.url}/api/v1/openapi.json`, {
      headers: { origin: 'https://outra.test' },
    });
    expect(reply.headers.get('access-control-allow-origin')).toBe('*');
    expect(reply.headers.get('access-control-allow-credentials')).toBeNull();
    expect(document.servers).toEqual([{ url: `${deployment.url}/api/v1` }]);
  });

  test('has a schema for every body, and names no operation twice', () => {
    const operations = Object.values(document.paths).flatMap((ofPath) => Object.values(ofPath));
    expect(operations.length).toBeGreaterThan(18);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    for (const { operationId, responses } of operations) {
      for (const [status, { content }] of Object.entries(responses))
        expect(content === undefined, `${operationId} ${status}`).toBe(status === '204');
    }
  });

  test('is a page to read as well, in which nothing runs', async () => {
    const reply = await fetch(`${deployment.url}/api/v1/docs`);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = reply.headers.get('content-security-policy');
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; /);
    expect(policy).not.toMatch(/script-src|unsafe|https:|\*/);
    const page = await reply.text();
    const missing = await (await fetch(`${deployment.url}/api/v1/nothing`)).json();
    // Where the type of a problem leads.
    expect(missing.type).toBe(`${deployment.url}/api/v1/docs#not_found`);
    expect(page).toContain('id="not_found"');
    expect(page).not.toContain('<script');
  });

  test('has commands that do what it says', async () => {
    const { token } = await createPersonalToken(deployment, person, 'links:write');
    const check = createAnswerCheck(document);
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(operations)) {
        const ids = await createTargets(token);
        const [sample] = operation['x-codeSamples'];
        const output = await runShell(`${required(sample).source} -w '\\n%{http_code} %{content_type}'`, {
          LINKOTECA_TOKEN: token,
          ...ids,
        });
        const [answer = '', status = '', type = ''] = /^([\s\S]*)\n(\d+) ?(.*)$/.exec(output)?.slice(1) ?? [];
        expect(Number(status), `${method} ${path}: ${answer}`).toBeLessThan(300);
        check({
          method: method.toUpperCase(),
          path,
          reply: new Response(null, { status: Number(status), headers: { 'content-type': type } }),
          answer: answer === '' ? undefined : JSON.parse(answer),
        });
      }
    }
  });
});

/** Something of each kind, whose ids the commands name. */
async function createTargets(token: string): Promise<Readonly<Record<string, string>>> {
  const { folderId, categoryId } = await createShelf(person, randomUUID());
  const api = await openApi(deployment, token);
  const name = `t${randomUUID().slice(0, 8)}`;
  const saved = await api.call<{ id: string }>('POST', '/links', {
    body: { url: 'https://exemplo.test/', category_id: categoryId, tags: [name] },
  });
  // The first in alphabetical order that no command before has renamed or deleted.
  const tags = await api.call<{ data: { id: string; name: string }[] }>('GET', '/tags?limit=100');
  const tagId = required(tags.body.data.find((tag) => tag.name === name)).id;
  return { FOLDER_ID: folderId, CATEGORY_ID: categoryId, LINK_ID: saved.body.id, TAG_ID: tagId };
}

function runShell(command: string, variables: Readonly<Record<string, string>>): Promise<string> {
  return new Promise((resolve, reject) =>
    execFile(
      'sh',
      ['-c', command],
      { timeout: 60_000, env: { ...process.env, ...variables } },
      (error, stdout) => (error === null ? resolve(stdout) : reject(error)),
    ),
  );
}
