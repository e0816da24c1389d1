import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type Database } from '../../kernel/database.ts';
import type { RestConfig } from '../../kernel/settings.ts';
import { createSchemaSource } from './schema-cache/create-schema-source.ts';
import {
  keyOf,
  type QualifiedName,
  type Relationship,
  type SchemaCache,
} from './schema-cache/schema-cache.ts';
import { mergeSettings } from './settings/rest-settings.ts';
import { type RestBench, startRestService } from './test-support/start-rest-service.ts';

const VIEWS = readFileSync(new URL('./test-support/views.sql', import.meta.url), 'utf8');

let rest: RestBench;
let db: Database;
let cache: SchemaCache;
beforeAll(async () => {
  rest = await startRestService(VIEWS);
  db = createDatabase(rest.database.authenticator);
  db.pool.on('error', () => undefined);
  cache = await readCache({ schemas: ['workshop', 'public'], extraSearchPath: [] });
});
afterAll(async () => {
  await db.pool.end();
  await rest.stop();
});

async function readCache(settings: RestConfig): Promise<SchemaCache> {
  const state = await createSchemaSource(db, () => mergeSettings(settings)).current();
  return state.cache;
}

async function read(path: string): Promise<unknown> {
  const answer = await rest.ask('GET', path);
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
}

describe('a view has the keys of the tables whose columns it shows', () => {
  it.each([
    [
      'from a view to a table',
      '/projects_view?select=nr,clients(name)&nr=eq.3',
      { nr: 3, clients: { name: 'Livraria' } },
    ],
    [
      'from a table to a view',
      '/clients?select=id,projects_view(nr)&id=eq.2',
      { id: 2, projects_view: [{ nr: 3 }] },
    ],
    ['between views', '/books?select=id,authors(name)&id=eq.1', { id: 1, authors: { name: 'Clarice' } }],
    ['back between views', '/authors?select=author,books(id)&author=eq.1', { author: 1, books: [{ id: 1 }] }],
    [
      'through a view over a view',
      '/late_projects?select=nr,clients(name)&nr=eq.3',
      { nr: 3, clients: { name: 'Livraria' } },
    ],
    ['by a key of two columns', '/short_beds?select=id&id=eq.1', { id: 1 }],
    [
      'to a materialized view',
      '/projects?select=id,client_names(name)&id=eq.3',
      { id: 3, client_names: { name: 'Livraria' } },
    ],
    [
      'from a materialized view',
      '/client_names?select=id,projects(id)&id=eq.2',
      { id: 2, projects: [{ id: 3 }] },
    ],
    [
      'over a unique key',
      '/projects_view?select=nr,project_details(notes)&nr=eq.1',
      { nr: 1, project_details: { notes: 'quente' } },
    ],
    [
      'to the many of itself',
      '/crew?select=id,crew(name)&id=eq.1&crew.order=name',
      { id: 1, crew: [{ name: 'Bia' }, { name: 'Caio' }] },
    ],
    ['to the one of itself', '/crew?select=id,boss(name)&id=eq.2', { id: 2, boss: { name: 'Ana' } }],
    [
      'by its own name for the column',
      '/crew?select=id,crew!boss(name)&id=eq.1&crew.order=name',
      { id: 1, crew: [{ name: 'Bia' }, { name: 'Caio' }] },
    ],
    [
      'with names that look like the tree',
      '/odd%20%7B%20view?select=%22a,%20b%22,clients(name)&%22a,%20b%22=eq.3',
      { 'a, b': 3, clients: { name: 'Livraria' } },
    ],
    [
      'through a view as junction',
      '/staff?select=id,tasks!assignments(id)&id=eq.1',
      { id: 1, tasks: [{ id: 1 }] },
    ],
    [
      'in several levels',
      '/authors?select=author,books(diary_words(id))&author=eq.1&books.diary_words.order=id',
      { author: 1, books: [{ diary_words: [{ id: 1 }, { id: 2 }] }] },
    ],
    ['spread', '/books?select=id,...authors(name)&id=eq.1', { id: 1, name: 'Clarice' }],
  ])('%s', async (_name, path, expected) => {
    expect(await read(path)).toEqual([expected]);
  });

  it('and joins inside only where there are rows', async () => {
    expect(await read('/authors?select=author,books!inner(id)&books.title=eq.Dom')).toEqual([
      { author: 2, books: [{ id: 2 }] },
    ]);
    expect(await read('/books?select=id,authors()&authors=is.null')).toEqual([{ id: 4 }]);
  });

  it.each([
    ['a key shown in part', '/short_beds?select=id,rooms(door)'],
    ['an expression', '/computed_keys?select=id,clients(id)'],
    ['a union', '/all_keys?select=id,clients(id)'],
    ['a view of a schema that is not looked through', '/shelf?select=id,authors(author)'],
  ])('but not of %s', async (_name, path) => {
    const answer = await rest.ask('GET', path);
    expect([answer.status, answer.json]).toMatchObject([400, { code: 'PGRST200' }]);
  });

  it('and of views in the extra search path', async () => {
    const wide = await readCache({ schemas: ['workshop'], extraSearchPath: ['vault'] });
    const ways = wide.relationships.get('workshop\0shelf') ?? [];
    expect(ways.map(({ target }) => `${target.schema}.${target.name}`)).toContain('workshop.authors');
    expect([...wide.relations.keys()].some((key) => key.startsWith('vault'))).toBe(false);
  });

  it('names the ways when the same key is shown twice', async () => {
    const { status, json } = await rest.ask('GET', '/repeated_keys?select=id,clients(id)');
    expect(status).toBe(300);
    expect(json).toEqual({
      code: 'PGRST201',
      message:
        "Could not embed because more than one relationship was found for 'repeated_keys' and 'clients'",
      details: ['first', 'second'].map((column) => ({
        cardinality: 'many-to-one',
        embedding: 'repeated_keys with clients',
        relationship: `projects_client_id_fkey using repeated_keys(${column}) and clients(id)`,
      })),
      hint: "Try changing 'clients' to one of the following: 'clients!projects_client_id_fkey', 'clients!projects_client_id_fkey'. Find the desired relationship in the 'details' key.",
    });
    expect(await read('/repeated_keys?select=id,clients!second(id)&id=eq.3')).toEqual([
      { id: 3, clients: { id: 2 } },
    ]);
    const beds = await rest.ask('GET', '/beds?select=id,rooms(door)');
    expect(beds.json).toMatchObject({
      details: [
        { relationship: 'beds_room using beds(house, again) and rooms(house, door)' },
        { relationship: 'beds_room using beds(house, number) and rooms(house, door)' },
      ],
    });
  });

  it('gives a row once, though the view has its key twice', async () => {
    const path = '/repeated_keys?select=id,projects_with_clients!inner(of_client)&id=eq.1';
    expect((await rest.ask('GET', path)).status).toBe(300);
    const once = await rest.ask(
      'GET',
      '/repeated_keys?select=id,projects_with_clients!first(of_client)&id=eq.1',
      { headers: { prefer: 'count=exact' } },
    );
    expect([once.json, once.headers['content-range']]).toEqual([
      [{ id: 1, projects_with_clients: { of_client: 1 } }],
      '0-0/1',
    ]);
  });

  it('leads nowhere that is not exposed, and names nothing of it', async () => {
    for (const ways of cache.relationships.values())
      for (const way of ways) {
        const ends = [way.origin, way.target, ...(way.kind === 'many-to-many' ? [way.junction] : [])];
        expect(ends.map(({ schema }) => schema)).not.toContain('vault');
      }
    const answer = await rest.ask('GET', '/books?select=id,some_books(id)');
    expect([answer.status, answer.text]).toEqual([400, expect.not.stringContaining('vault')]);
    expect((await rest.ask('GET', '/some_books')).text).not.toContain('vault');
  });
});

type Way = Exclude<Relationship, { kind: 'computed' | 'many-to-many' }>;
const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;
const sorted = (rows: unknown) => (rows as unknown[]).map((row) => JSON.stringify(row)).sort();

/** The rows of both ends of a way, joined by hand, as a visitor. */
async function joinByHand({ kind, origin, target, columns }: Way): Promise<unknown> {
  const pairs = columns.map(([own, other]) => `t.${quote(other)} = o.${quote(own)}`).join(' and ');
  const others = columns.map(([, other]) => `t.${quote(other)}`);
  const rows = `(select coalesce(json_agg(r), '[]') from (select ${others} from workshop.${quote(target.name)} t where ${pairs}) r)`;
  const own = columns.map(([name]) => `o.${quote(name)}`).join(', ');
  const client = await rest.database.admin.connect();
  try {
    await client.query('set role anon');
    const answer = await client.query(
      `select ${own}, ${kind === 'one-to-many' ? rows : `${rows}->0`} as rows from workshop.${quote(origin.name)} o`,
    );
    return answer.rows;
  } finally {
    client.release(true);
  }
}

it('every way through a view leads to the rows that a join by hand gives', async () => {
  const isView = ({ schema, name }: QualifiedName) => cache.relations.get(keyOf(schema, name))?.isView;
  let compared = 0;
  for (const way of [...cache.relationships.values()].flat()) {
    if (way.kind === 'computed' || way.kind === 'many-to-many') continue;
    const { origin, target, columns, constraint } = way;
    if (!(isView(origin) || isView(target)) || origin.name === target.name) continue;
    if (origin.schema !== 'workshop') continue;
    const [own, other] = [0, 1].map((side) => columns.map((pair) => quote(pair[side] ?? '')));
    const select = encodeURIComponent(`${own},rows:${quote(target.name)}!${constraint}(${other})`);
    const answer = await rest.ask('GET', `/${encodeURIComponent(origin.name)}?select=${select}`);
    // Several ways under one name are told apart by a column.
    if (answer.status === 300) continue;
    expect([way, answer.status]).toEqual([way, 200]);
    expect([way, sorted(answer.json)]).toEqual([way, sorted(await joinByHand(way))]);
    compared += 1;
  }
  expect(compared).toBeGreaterThan(40);
});

describe('functions', () => {
  it('that return a view embed what the view may', async () => {
    expect(await read('/rpc/list_views?first=3&select=nr,shouted,clients(name)')).toEqual([
      { nr: 3, shouted: 'ESTANTE', clients: { name: 'Livraria' } },
      { nr: 4, shouted: 'AVULSO', clients: null },
    ]);
  });

  it('compute a column once beside all others, and beside rows that are computed as well', async () => {
    const all = await rest.ask('GET', '/rpc/list_views?first=4&select=*,shouted');
    expect(all.text).toBe('[{"title":"Avulso","nr":4,"client_nr":null,"shouted":"AVULSO"}]');
    expect(await read('/rpc/list_views?first=2&select=nr,shouted,tasks_of_view(title)&limit=1')).toEqual([
      { nr: 2, shouted: 'VITRINE', tasks_of_view: [{ title: 'limpar vidros' }] },
    ]);
    expect(await read('/rpc/list_views?first=2&select=nr&shouted=like.*E&order=shouted')).toEqual([
      { nr: 3 },
      { nr: 2 },
    ]);
  });

  it('compute columns and rows of a view', async () => {
    expect(await read('/projects_view?select=nr,shouted,tasks_of_view(title)&nr=eq.2')).toEqual([
      { nr: 2, shouted: 'VITRINE', tasks_of_view: [{ title: 'limpar vidros' }] },
    ]);
    expect(await read('/projects_view?select=nr&shouted=eq.FORNO')).toEqual([{ nr: 1 }]);
  });

  it('compute columns of a view that has a column of its own name', async () => {
    expect(await read('/title?select=id,shouted&shouted=eq.FORNO!')).toEqual([{ id: 1, shouted: 'FORNO!' }]);
  });

  it.each([
    ['*,shouted', { title: 'Avulso', nr: 4, client_nr: null, shouted: 'AVULSO' }],
    ['nr,shouted,tasks_of_view(title)', { nr: 4, shouted: 'AVULSO', tasks_of_view: [] }],
    ['nr&order=shouted', { nr: 4 }],
  ])('compute columns of changed rows: %s', async (select, row) => {
    const changed = await rest.ask('PATCH', `/projects_view?nr=eq.4&select=${select}`, {
      body: { title: 'Avulso' },
      headers: { prefer: 'return=representation' },
    });
    expect([changed.status, changed.json]).toEqual([200, [row]]);
  });
});

describe('a view is written to by the keys of its tables', () => {
  it('names them in its own order, not in that of the table', async () => {
    const made = await rest.ask('POST', '/stocked_by_slot', {
      body: { place: 'Y', slot: 1, item: 'rolha' },
      headers: { prefer: 'return=headers-only' },
    });
    expect([made.status, made.headers['location']]).toEqual([201, '/stocked_by_slot?slot=eq.1&place=eq.Y']);
  });

  it('gives the address of a new row, replaces, merges and ignores', async () => {
    const made = await rest.ask('POST', '/stocked', {
      body: { place: 'Z', slot: 1, item: 'rolha' },
      headers: { prefer: 'return=headers-only' },
    });
    expect([made.status, made.headers['location']]).toEqual([201, '/stocked?place=eq.Z&slot=eq.1']);
    const put = await rest.ask('PUT', '/stocked?place=eq.Z&slot=eq.1', {
      body: { place: 'Z', slot: 1, item: 'tampa' },
      headers: { prefer: 'return=representation' },
    });
    expect([put.status, put.json]).toEqual([200, [{ place: 'Z', slot: 1, item: 'tampa' }]]);
    const ignored = await rest.ask('POST', '/stocked', {
      body: [{ place: 'Z', slot: 1, item: 'x' }],
      headers: { prefer: 'resolution=ignore-duplicates,return=representation' },
    });
    expect([ignored.status, ignored.json]).toEqual([201, []]);
    const merged = await rest.ask('POST', '/stocked?on_conflict=place,slot&select=item', {
      body: [{ place: 'Z', slot: 1, item: 'selo' }],
      headers: { prefer: 'resolution=merge-duplicates,return=representation' },
    });
    expect([merged.status, merged.json]).toEqual([200, [{ item: 'selo' }]]);
    const embedded = await rest.ask('PATCH', '/projects_view?nr=eq.1&select=nr,clients(name)', {
      body: { title: 'Forno' },
      headers: { prefer: 'return=representation' },
    });
    expect(embedded.json).toEqual([{ nr: 1, clients: { name: 'Padaria Ação' } }]);
  });

  it('but not by PUT where it shows no key', async () => {
    const refused = await rest.ask('PUT', '/all_keys?id=eq.1', { body: { id: 1 } });
    expect([refused.status, refused.json]).toMatchObject([405, { code: 'PGRST105' }]);
  });

  it('and has the keys of all its tables together', () => {
    expect(cache.relations.get('workshop\0projects_with_clients')?.primaryKey.toSorted()).toEqual([
      'id',
      'of_client',
    ]);
  });
});

describe('rows that a caller may not see', () => {
  const bearer = async (sub: string) => ({ authorization: `Bearer ${await rest.tokenFor({ sub })}` });

  it('stay hidden behind a view that asks as its caller, embedded or not', async () => {
    for (const [sub, ids] of [
      ['ana', [{ id: 1 }]],
      ['bia', [{ id: 2 }]],
      ['stranger', []],
    ] as const) {
      const headers = await bearer(sub);
      expect((await rest.ask('GET', '/diaries?select=id', { headers })).json).toEqual(ids);
      const embedded = await rest.ask('GET', '/books?select=id,diaries(id)&id=eq.1', { headers });
      expect(embedded.json).toEqual([{ id: 1, diaries: ids }]);
      const inner = await rest.ask('GET', '/books?select=id,diaries!inner()', {
        headers: { ...headers, prefer: 'count=exact' },
      });
      expect(inner.headers['content-range']).toBe(ids.length === 0 ? '*/0' : '0-0/1');
    }
    expect((await rest.ask('GET', '/books?select=id,diaries(id)&id=eq.1')).json).toEqual([
      { id: 1, diaries: [] },
    ]);
  });

  it('are shown by a view that asks as its owner, as Postgres does', async () => {
    const headers = await bearer('stranger');
    const answer = await rest.ask('GET', '/books?select=id,diary_words(id)&id=eq.1&diary_words.order=id', {
      headers,
    });
    expect(answer.json).toEqual([{ id: 1, diary_words: [{ id: 1 }, { id: 2 }] }]);
  });

  it('stay hidden where the right to the view is missing', async () => {
    await rest.database.admin.query('revoke select on workshop.authors from anon');
    try {
      const refused = await rest.ask('GET', '/books?select=id,authors(name)');
      expect([refused.status, refused.json]).toMatchObject([401, { code: '42501' }]);
    } finally {
      await rest.database.admin.query('grant select on workshop.authors to anon');
    }
  });
});

describe('a domain over a domain', () => {
  it('is searched as what it is made of, and filled with its default', async () => {
    expect(await read('/labels?select=id&words=fts(portuguese).gato')).toEqual([{ id: 1 }]);
    const made = await rest.ask('POST', '/labels?columns=id,name', {
      body: [{ id: 2 }],
      headers: { prefer: 'return=representation,missing=default' },
    });
    expect([made.status, made.json]).toMatchObject([201, [{ id: 2, name: 'sem nome' }]]);
  });
});
