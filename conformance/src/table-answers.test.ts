import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createPerson, type Person } from './support/create-person.ts';
import { createShelf, type Shelf } from './support/create-shelf.ts';
import { createVisitor } from './support/create-visitor.ts';
import { required } from './support/required.ts';

const deployment = inject('deployment');
let ana: Person;
let shelf: Shelf;
beforeAll(async () => {
  ana = await createPerson(deployment);
  shelf = await createShelf(ana);
  const { error } = await ana.client.from('links').insert({
    title: 'um, dois',
    url: 'https://example.com/um',
    category_id: shelf.categoryId,
    user_id: ana.id,
  });
  if (error !== null) throw error;
});
afterAll(() => ana.client.auth.signOut());

const links = () => ana.client.from('links');
const send = async (path: string, init: RequestInit = {}) => {
  const { data } = await ana.client.auth.getSession();
  const token = required(data.session, null).access_token;
  const headers = { apikey: deployment.anonKey, authorization: `Bearer ${token}`, ...init.headers };
  return fetch(`${deployment.url}/rest/v1${path}`, { ...init, headers });
};

describe('answers', () => {
  test('come as CSV, and a plan is told nobody', async () => {
    const { data } = await links().select('title').eq('url', 'https://example.com/um').csv();
    expect(data).toBe('title\n"um, dois"');
    const { error, status } = await links().select('title').explain();
    expect([status, error]).toMatchObject([406, { code: 'PGRST107' }]);
  });

  test('write times in the zone that the client prefers', async () => {
    const read = async (zone: string) => {
      const { data } = await links().select('created_at').limit(1).setHeader('Prefer', `timezone=${zone}`);
      return required(data, null)[0]?.['created_at'] as string;
    };
    const [utc, tokyo, none] = [await read('UTC'), await read('Asia/Tokyo'), await read('Nowhere/Land')];
    expect(tokyo).toMatch(/\+09:00$/);
    expect(Date.parse(tokyo)).toBe(Date.parse(utc));
    expect(none).toBe(utc);
  });

  test('say where they are from, how many rows there are, and what went wrong', async () => {
    const found = await send('/links?select=title&limit=1');
    expect(found.headers.get('content-location')).toBe('/links?limit=1&select=title');
    const beyond = await send('/links?offset=99', { headers: { prefer: 'count=exact' } });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, '*/1']);
    const head = await send('/nada', { method: 'HEAD', headers: { origin: 'https://app.example.com' } });
    expect(head.headers.get('proxy-status')).toBe('PostgREST; error=PGRST205');
    expect(head.headers.get('access-control-expose-headers')).toContain('Proxy-Status');
    expect(head.headers.get('vary')).toBe('Origin, Accept, Prefer, Range');
  });

  test('to OPTIONS name the methods, and to a browser’s question what it may', async () => {
    const plain = await send('/links', { method: 'OPTIONS' });
    expect([plain.status, plain.headers.get('allow')]).toEqual([
      200,
      'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE',
    ]);
    const preflight = await fetch(`${deployment.url}/rest/v1/links`, {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example.com', 'access-control-request-method': 'PATCH' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([
      204,
      expect.stringContaining('PATCH'),
    ]);
  });
});

describe('the description', () => {
  type Column = { readonly description?: string; readonly format: string };
  type Described = {
    readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly parameters: object[] }>>>>;
    readonly definitions: Readonly<Record<string, { readonly properties: Readonly<Record<string, Column>> }>>;
  };
  const describeFor = async (token: string) => {
    const headers = { apikey: deployment.anonKey, authorization: `Bearer ${token}` };
    return (await (await fetch(`${deployment.url}/rest/v1/`, { headers })).json()) as Described;
  };

  test('names keys, types and parameters of what a person may use', async () => {
    const answer = await send('/', { headers: { accept: 'application/openapi+json' } });
    expect(answer.headers.get('content-type')).toBe('application/openapi+json; charset=utf-8');
    const { paths, definitions } = (await answer.json()) as Described;
    const { id } = definitions['links']?.properties ?? {};
    const category = definitions['favorites']?.properties['category_id'];
    expect([id?.format, id?.description]).toEqual(['uuid', expect.stringContaining('<pk/>')]);
    expect(category?.description).toContain("<fk table='categories' column='id'/>");
    expect(paths['/links']?.['get']?.parameters).toContainEqual({ $ref: '#/parameters/rowFilter.links.url' });
  });

  test('tells a visitor of nothing that they may not use', async () => {
    const visitor = await describeFor(deployment.anonKey);
    const { error } = await createVisitor(deployment).from('links').insert({ title: 'x' });
    expect(error).not.toBeNull();
    expect(visitor.paths['/links'] ?? {}).not.toHaveProperty('post');
    const operator = await describeFor(deployment.serviceRoleKey);
    expect(Object.keys(operator.paths).length).toBeGreaterThan(Object.keys(visitor.paths).length);
  });
});
