import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RestBench, startRestService } from './test-support/start-rest-service.ts';

let rest: RestBench;
beforeAll(async () => {
  rest = await startRestService();
});
afterAll(() => rest.stop());

const INJECTIONS = [
  "'; drop table workshop.clients; --",
  '"; drop table workshop.clients; --',
  '1); delete from workshop.clients; --',
  "' or '1'='1",
  '$1',
  '$$; select 1; $$',
  "\\'; select pg_sleep(5); --",
  'E\\x27',
  '(select word from workshop.secrets)',
  '/**/',
  '\u2028\ufeff',
  '👩‍🍳\u202e',
  'a'.repeat(4000),
];

const PLACES: readonly ((text: string) => string)[] = [
  (t) => `/clients?name=eq.${t}`,
  (t) => `/clients?name=ilike.${t}`,
  (t) => `/clients?id=eq.${t}`,
  (t) => `/clients?id=in.(${t})`,
  (t) => `/clients?name=fts(${t}).x`,
  (t) => `/clients?name=wfts.${t}`,
  (t) => `/clients?name=${t}`,
  (t) => `/clients?${t}=eq.1`,
  (t) => `/clients?%22${t}%22=eq.1`,
  (t) => `/clients?select=${t}`,
  (t) => `/clients?select=id,%22${t}%22`,
  (t) => `/clients?select=id,${t}:name`,
  (t) => `/clients?select=id::${t}`,
  (t) => `/clients?select=${t}(id)`,
  (t) => `/clients?select=projects!${t}(id)`,
  (t) => `/projects?select=data->${t}`,
  (t) => `/projects?select=data->>%22${t}%22`,
  (t) => `/clients?order=${t}`,
  (t) => `/clients?order=id.${t}`,
  (t) => `/clients?order=projects(${t})`,
  (t) => `/clients?limit=${t}`,
  (t) => `/clients?offset=${t}`,
  (t) => `/clients?or=(${t})`,
  (t) => `/clients?or=(name.eq.${t})`,
  (t) => `/clients?${t}.limit=1`,
  (t) => `/${t}`,
  (t) => `/rpc/${t}`,
  (t) => `/rpc/greet?name=${t}`,
  (t) => `/rpc/greet?${t}=1`,
  (t) => `/rpc/add?a=${t}`,
  (t) => `/${t}/${t}`,
];

describe('injections', () => {
  it.each(INJECTIONS.map((text) => [text.slice(0, 40), text]))(
    '%s is text and nothing else',
    async (_, text) => {
      for (const place of PLACES) {
        const path = place(encodeURIComponent(text));
        const answer = await rest.ask('GET', path);
        expect(answer.status, `${path}: ${answer.text}`).toBeLessThan(500);
        if (answer.status >= 300)
          expect(Object.keys(answer.json as object)).toEqual(['code', 'message', 'details', 'hint']);
      }
      const { rows } = await rest.database.admin.query('select count(*)::int as n from workshop.clients');
      expect(rows).toEqual([{ n: 3 }]);
    },
  );

  it.each(INJECTIONS.map((text) => [text.slice(0, 40), text]))(
    '%s in a body is text and nothing else',
    async (_, text) => {
      const headers = { prefer: 'return=representation' };
      const body = { title: text };
      const written = await rest.ask('POST', '/tasks?select=title', { body, headers });
      expect([written.status, written.json]).toEqual([201, [body]]);
      for (const [method, path, sent] of [
        ['POST', '/tasks', { [text]: 1 }],
        ['POST', `/tasks?columns=${encodeURIComponent(`"${text.replace(/[\\"]/g, '\\$&')}"`)}`, body],
        ['POST', `/tasks?on_conflict=${encodeURIComponent(text)}`, body],
        ['PATCH', `/tasks?title=eq.${encodeURIComponent(text)}`, { title: `${text}2` }],
        ['DELETE', `/tasks?title=eq.${encodeURIComponent(`${text}2`)}`, undefined],
        ['POST', '/rpc/greet', { name: text }],
        ['POST', '/rpc/greet', { [text]: 1 }],
        ['POST', '/rpc/add', { a: text }],
        ['PUT', `/stock?shelf=eq.${encodeURIComponent(text)}&slot=eq.1`, { shelf: text, slot: 1 }],
      ] as const) {
        const answer = await rest.ask(method, path, {
          body: sent,
          headers: { prefer: 'resolution=merge-duplicates' },
        });
        expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(500);
      }
    },
  );
});

describe('broken requests', () => {
  it.each([
    ['GET', '/clients?name=eq.%00', undefined, 400],
    ['GET', '/clients%00', undefined, 400],
    ['GET', '/clients?name=eq.%ff', undefined, 400],
    ['GET', '/clients?name=eq.%', undefined, 200],
    ['POST', '/clients', '{"name":"\0"}', 400],
    ['POST', '/clients', '{"name":"\\u0000"}', 400],
    ['POST', '/clients', '{"name":"\\ud800"}', 400],
    ['POST', '/clients?columns=name', 'not json', 400],
    ['POST', '/clients?columns=name', '5', 400],
    ['POST', '/clients?columns=name', '[5]', 400],
    ['POST', '/clients?columns=name', '{"name":"\0"}', 400],
    ['POST', '/clients', Buffer.from([0x22, 0xff, 0x22]), 400],
    ['POST', '/rpc/greet', '"x"', 404],
    ['POST', '/rpc/greet', '{"name":', 400],
    ['PATCH', '/clients?id=eq.1', '[]', 200],
    ['POST', '/projects', `{"data":${'['.repeat(100_000)}${']'.repeat(100_000)},"name":"x"}`, 400],
    ['GET', '/clients?id=eq.99999999999999999999', undefined, 400],
    ['GET', '/clients?offset=99999999999999999999', undefined, 200],
    ['GET', '/clients?limit=99999999999999999999', undefined, 200],
    ['GET', `/clients?or=${'('.repeat(10_000)}`, undefined, 400],
    ['GET', `/clients?select=${'projects('.repeat(1_500)}`, undefined, 400],
    ['GET', `/clients?id=in.(${'1,'.repeat(5_000)}2)`, undefined, 200],
    ['GET', `/clients?select=${'id,'.repeat(3_000)}id`, undefined, 400],
    ['GET', '/clients/1/x', undefined, 404],
    ['GET', '/rpc', undefined, 404],
    ['POST', '/', '{}', 405],
  ])('%s %.60s', async (method, path, body, status) => {
    const answer = await rest.ask(method, path, { body });
    expect(answer.status < 300 ? 200 : answer.status, answer.text).toBe(status);
    if (answer.status >= 300) expect(answer.json).toHaveProperty('message');
  });

  it('refuses a body of ten megabytes in its own words', async () => {
    const answer = await rest.ask('POST', '/clients', { body: { name: 'x'.repeat(10_000_000) } });
    expect([answer.status, answer.json]).toEqual([
      413,
      { code: 'PGRST102', message: 'Request body is too large', details: null, hint: null },
    ]);
  });

  it('refuses an unknown table with a near name', async () => {
    const answer = await rest.ask('GET', '/project');
    expect([answer.status, answer.json]).toEqual([
      404,
      {
        code: 'PGRST205',
        message: "Could not find the table 'workshop.project' in the schema cache",
        details: null,
        hint: "Perhaps you meant the table 'workshop.projects'",
      },
    ]);
  });

  it('passes on what Postgres says of an unknown column', async () => {
    const answer = await rest.ask('GET', '/clients?select=nome');
    expect([answer.status, answer.json]).toEqual([
      400,
      {
        code: '42703',
        message: 'column clients.nome does not exist',
        details: null,
        hint: 'Perhaps you meant to reference the column "clients.name".',
      },
    ]);
  });
});
