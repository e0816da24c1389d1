import { readFileSync } from 'node:fs';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { eventually } from '@linkoteca/test-kit/eventually';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRestService, type RestBench } from './test-support/start-rest-service.ts';

let database: ThrowawayDatabase;
let rest: RestBench;
beforeAll(async () => {
  database = await createThrowawayDatabase();
  await database.admin.query(readFileSync(new URL('./test-support/forms.sql', import.meta.url), 'utf8'));
  rest = await openRestService(database, { schemas: ['forms'] });
});
afterAll(async () => {
  await rest.stop();
  await database.drop();
});

const get = async (path: string, accept: string, bench = rest) => {
  const { status, headers, text } = await bench.ask('GET', path, { headers: { accept } });
  return [status, headers['content-type'], text];
};
const REFUSED = (accept: string) => [
  406,
  'application/json; charset=utf-8',
  `{"code":"PGRST107","message":"None of these media types are available: ${accept}","details":null,"hint":null}`,
];

describe('a function whose type is a media type', () => {
  it.each([
    ['welcome', 'text/plain', 'text/plain; charset=utf-8', 'Olá'],
    ['page', 'text/html', 'text/html', '<h1>Olá</h1>'],
    ['tag', 'text/xml', 'text/xml; charset=utf-8', '<a/>'],
    ['no_picture', 'image/png', 'image/png', ''],
    ['page', 'application/xhtml+xml,text/html;q=0.9,*/*;q=0.8', 'text/html', '<h1>Olá</h1>'],
    ['page', '*/*', 'application/json; charset=utf-8', '"<h1>Olá</h1>"'],
    ['welcome', 'application/json', 'application/json; charset=utf-8', '"Olá"'],
  ])('%s answers %s as it is', async (name, accept, type, text) => {
    expect(await get(`/rpc/${name}`, accept)).toEqual([200, type, text]);
  });

  it('answers bytes as they are', async () => {
    const answer = await rest.app.inject({ url: '/rest/v1/rpc/picture', headers: { accept: 'image/png' } });
    expect(answer.headers['content-length']).toBe('4');
    expect(answer.rawPayload).toEqual(Buffer.from([0x89, 0x50, 0x4e, 0x47]));
  });

  it('answers nothing else, and neither does a set of such, nor plain text', async () => {
    expect(await get('/rpc/welcome', 'text/xml')).toEqual(REFUSED('text/xml'));
    expect(await get('/rpc/words', 'text/plain')).toEqual(REFUSED('text/plain'));
    expect(await get('/rpc/plain_text', 'text/plain')).toEqual(REFUSED('text/plain'));
  });

  it('answers everything where it says so, and names the type itself or refuses it', async () => {
    expect(await get('/rpc/whatever', 'app/bingo')).toEqual([200, 'application/octet-stream', 'app/bingo']);
    expect(await get('/rpc/whatever', 'app/groucho')).toEqual([200, 'app/groucho', 'app/groucho']);
    expect((await get('/rpc/whatever', 'app/harpo'))[0]).toBe(415);
  });
});

describe('an aggregate whose type is a media type', () => {
  it('makes the answer of the rows of its relation, filtered and ordered, in bytes', async () => {
    const shape = (path: string) => get(path, 'application/vnd.shape');
    expect(await shape('/shapes')).toEqual([200, 'application/vnd.shape', 'triangle;square;dot;']);
    expect((await shape('/shapes?id=gt.1&order=id.desc'))[2]).toBe('dot;square;');
    expect((await shape('/shapes?id=gt.9'))[2]).toBe('');
    expect((await shape('/rpc/find_shapes?id=eq.1'))[2]).toBe('triangle;');
  });

  it('takes whole rows alone, of its own relation', async () => {
    for (const path of ['/shapes?select=id,name,corners', '/shapes?select=id', '/points'])
      expect((await get(path, 'application/vnd.shape'))[0]).toBe(406);
  });

  it('comes before what is built in, and may set headers', async () => {
    const answer = await rest.ask('GET', '/shapes', { headers: { accept: 'text/csv' } });
    expect(answer.text).toBe('id;nome\n1;triangle\n2;square\n3;dot\n');
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="shapes.csv"',
    });
    expect((await get('/points', 'text/csv'))[2]).toBe('id,label\n1,a');
    // The vendor's types are not overridden.
    const single = await get('/shapes?id=eq.1', 'application/vnd.pgrst.object+json');
    expect(single[2]).toBe('{"id":1,"name":"triangle","corners":3}');
  });

  it('takes rows of any shape where it says so', async () => {
    const tabs = 'text/tab-separated-values';
    expect(await get('/points', tabs)).toEqual([200, tabs, '1\ta\n']);
    expect((await get('/shapes?select=name,id&id=eq.1', tabs))[2]).toBe('triangle\t1\n');
  });

  it('takes every type where it says so', async () => {
    for (const accept of ['*/*', 'text/csv', 'magic/number'])
      expect(await get('/anything', accept)).toEqual([200, 'application/octet-stream', '1 2 ']);
  });

  it('shows what was written, where that is asked for', async () => {
    const write = (prefer: string) =>
      rest.ask('POST', '/shapes', {
        headers: { accept: 'application/vnd.shape', prefer },
        body: { id: 10 + prefer.length, name: 'novo' },
      });
    const shown = await write('return=representation');
    expect([shown.status, shown.headers['content-type'], shown.text]).toEqual([
      201,
      'application/vnd.shape',
      'novo;',
    ]);
    expect((await write('return=minimal')).text).toBe('');
    await database.admin.query('delete from forms.shapes where id > 9');
  });

  it('is known as it comes and goes', async () => {
    const status = async () => (await get('/points', 'text/csv+own'))[0];
    expect(await status()).toBe(406);
    await database.admin.query(`
      create domain forms."text/csv+own" as text;
      create function forms.own_step(state text, next forms.points) returns forms."text/csv+own" language sql as 'select state || next.label';
      create aggregate forms.own_agg(forms.points) (initcond = '', stype = forms."text/csv+own", sfunc = forms.own_step);
    `);
    await eventually(async () => expect(await status()).toBe(200));
    await database.admin.query('drop aggregate forms.own_agg(forms.points)');
    await eventually(async () => expect(await status()).toBe(406));
  });

  it('gets no row that the caller may not see', async () => {
    expect(await get('/hidden', 'text/tab-separated-values')).toEqual([200, 'text/tab-separated-values', '']);
  });
});

describe('GeoJSON, where PostGIS is', () => {
  const GEOJSON = 'application/geo+json';
  const feature = (name: string, ...coordinates: readonly number[]) => ({
    type: 'Feature',
    geometry: { type: 'Point', coordinates },
    properties: { id: expect.any(Number), name },
  });
  const read = async (path: string, init: object = {}) => {
    const answer = await rest.ask('GET', path, { headers: { accept: GEOJSON }, ...init });
    return [answer.status, answer.headers['content-type'], JSON.parse(answer.text)];
  };
  const collection = (...features: readonly object[]) => [
    200,
    `${GEOJSON}; charset=utf-8`,
    { type: 'FeatureCollection', features },
  ];

  it('has a feature of each row of a relation or of a function', async () => {
    const both = collection(feature('Praça', -46.6, -23.5), feature('Rio', -43.2, -22.9));
    for (const path of ['/places?order=id', '/rpc/find_places?order=id'])
      expect(await read(path)).toEqual(both);
    expect(await read('/places?id=eq.2&select=geom,nome:name,id')).toEqual(
      collection({ ...feature('', -43.2, -22.9), properties: { id: 2, nome: 'Rio' } }),
    );
    expect(await read('/places?id=eq.3')).toEqual(collection());
  });

  it('has the rows that were written, and what the function says of rows without a geometry', async () => {
    const headers = { accept: GEOJSON, prefer: 'return=representation' };
    const geom = '{"type":"Point","coordinates":[1,2]}';
    const written = await rest.ask('POST', '/places', { headers, body: { id: 4, name: 'Aqui', geom } });
    expect([written.status, JSON.parse(written.text)]).toEqual([201, collection(feature('Aqui', 1, 2))[2]]);
    await rest.ask('DELETE', '/places?id=eq.4', {});
    expect(await read('/places?select=id')).toMatchObject([400, expect.anything(), { code: 'P0001' }]);
  });

  it('is told in its plan', async () => {
    const planned = await openRestService(database, { schemas: ['forms'], plans: true });
    try {
      const [status, type] = await get(
        '/places',
        `application/vnd.pgrst.plan+json; for="${GEOJSON}"`,
        planned,
      );
      expect([status, type]).toEqual([
        200,
        `application/vnd.pgrst.plan+json; for="${GEOJSON}"; charset=utf-8`,
      ]);
    } finally {
      await planned.stop();
    }
  });
});

describe('a plan', () => {
  const plan = 'application/vnd.pgrst.plan';

  it('is told nobody unless it is switched on', async () => {
    for (const method of ['GET', 'DELETE'])
      expect((await rest.ask(method, '/shapes?id=eq.9', { headers: { accept: plan } })).status).toBe(406);
  });

  it('is told as text or JSON, of reads, writes and calls, without doing them', async () => {
    const telling = await openRestService(database, { schemas: ['forms'], plans: true });
    try {
      const text = await get('/shapes', plan, telling);
      expect(text.slice(0, 2)).toEqual([200, `${plan}+text; for="application/json"; charset=utf-8`]);
      expect(text[2]).toMatch(/^Subquery Scan|^Aggregate/);
      const json = await get('/rpc/find_shapes', `${plan}+json; options=verbose`, telling);
      expect(json.slice(0, 2)).toEqual([
        200,
        `${plan}+json; for="application/json"; options=verbose; charset=utf-8`,
      ]);
      expect(JSON.parse(String(json[2]))[0].Plan['Total Cost']).toBeGreaterThan(0);
      const deletion = await telling.ask('DELETE', '/shapes?id=eq.1', {
        headers: { accept: `${plan}+json; for="application/json"` },
      });
      expect([deletion.status, deletion.headers['content-type']]).toEqual([
        200,
        `${plan}+json; for="application/json"; charset=utf-8`,
      ]);
      expect(deletion.json).toMatchObject([{ Plan: {} }]);
      expect((await telling.ask('GET', '/shapes?id=eq.1')).json).toHaveLength(1);
    } finally {
      await telling.stop();
    }
  });
});

describe('a domain with casts of its own', () => {
  const paints = async (query: string) => (await rest.ask('GET', `/paints${query}`)).json;

  it('is answered as its cast writes it, wherever it is', async () => {
    expect(await paints('?order=id')).toEqual([
      { id: 1, tone: '#0000ff', label: 'azul', mixed_of: null },
      { id: 2, tone: '#00ff00', label: 'verde', mixed_of: 1 },
      { id: 3, tone: null, label: 'nenhuma', mixed_of: null },
    ]);
    expect(await paints('?id=eq.2&select=cor:tone,base:mixed_of(tone)')).toEqual([
      { cor: '#00ff00', base: { tone: '#0000ff' } },
    ]);
    expect((await rest.ask('GET', '/rpc/find_paints?id=eq.1&select=tone')).json).toEqual([
      { tone: '#0000ff' },
    ]);
  });

  it('groups what is counted where a spread brings it', async () => {
    const counting = await openRestService(database, { schemas: ['forms'], aggregates: true });
    try {
      const { json } = await counting.ask('GET', '/paints?select=id.count(),...mixed_of(base:tone)');
      expect(
        (json as object[]).toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b))),
      ).toEqual([
        { count: 1, base: '#0000ff' },
        { count: 2, base: null },
      ]);
    } finally {
      await counting.stop();
    }
  });

  it('is written by its own cast before that of the client', async () => {
    expect(await paints('?id=eq.1&select=tone::text')).toEqual([{ tone: '"#0000ff"' }]);
  });

  it.each([
    ['?tone=eq.%230000ff&select=id', [1]],
    ['?tone=in.(%230000ff,%2300ff00)&select=id&order=id', [1, 2]],
    ['?tone=in.()&select=id', []],
    ['?tone=neq.%230000ff&select=id', [2]],
    ['?tone=not.in.(%230000ff)&select=id', [2]],
    ['?tone=isdistinct.%230000ff&select=id&order=id', [2, 3]],
    ['?tone=is.null&select=id', [3]],
    ['?or=(tone.eq.%2300ff00,label.eq.azul)&select=id&order=id', [1, 2]],
    ['?tone=gt.%230000ff&order=tone.desc&select=id', [2]],
  ])('%s is read as its cast reads it', async (query, ids) => {
    expect(await paints(query)).toEqual(ids.map((id) => ({ id })));
  });

  it('is written as its cast reads it, in every way of writing', async () => {
    const write = async (method: string, path: string, body: unknown, prefer = '') => {
      const headers = { prefer: `return=representation${prefer}` };
      const { status, json } = await rest.ask(method, path, { body, headers });
      return [status, json];
    };
    const red = { id: 10, tone: '#ff0000', label: 'vermelho', mixed_of: null };
    try {
      expect(await write('POST', '/paints', red)).toEqual([201, [red]]);
      const many = [
        { id: 11, tone: '#000001' },
        { id: 12, tone: null },
      ];
      expect(await write('POST', '/paints?columns=id,tone&select=id,tone', many)).toEqual([201, many]);
      expect(await write('PATCH', '/paints?tone=eq.%23ff0000&select=tone', { tone: '#ee0000' })).toEqual([
        200,
        [{ tone: '#ee0000' }],
      ]);
      const merged = { tone: '#ee0000', id: 10, label: 'outro', mixed_of: null };
      expect(
        await write('POST', '/paints?on_conflict=tone&select=label', merged, ',resolution=merge-duplicates'),
      ).toEqual([200, [{ label: 'outro' }]]);
      expect((await write('PUT', '/paints?id=eq.10', { ...red, tone: '#dd0000' }))[1]).toEqual([
        { ...red, tone: '#dd0000' },
      ]);
      const { rows } = await database.admin.query('select tone from forms.paints where id = 10');
      expect(rows).toEqual([{ tone: 0xdd0000 }]);
    } finally {
      await database.admin.query('delete from forms.paints where id > 9');
    }
  });

  it('refuses what it cannot read', async () => {
    const { status, json } = await rest.ask('POST', '/paints', { body: { id: 20, tone: '#1000000' } });
    expect([status, json]).toMatchObject([400, { code: '23514' }]);
  });
});
