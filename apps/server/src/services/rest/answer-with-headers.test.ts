import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRestService, type RestBench } from './test-support/start-rest-service.ts';

let database: ThrowawayDatabase;
let rest: RestBench;
beforeAll(async () => {
  database = await createThrowawayDatabase();
  await database.admin.query(`
    create schema hours;
    grant usage on schema hours to anon, authenticated;
    create table hours.moments (id int primary key, at timestamptz not null);
    insert into hours.moments values (1, '2023-10-18 12:37:59.611+00'), (2, '2023-10-18 14:37:59.611+00');
    create view hours.counted as select count(*) from hours.moments;
    create function hours.told() returns json language sql stable as
      $$ select json_build_object('cookies', current_setting('request.cookies')::json, 'headers', current_setting('request.headers')::json) $$;
    create function hours.at_noon() returns setof hours.moments language sql volatile as
      $$ insert into hours.moments values (3, '2024-01-01 12:00:00+00') returning * $$;
    create function hours.kept() returns text language sql stable as
      $$ select set_config('response.headers', '[{"Vary": "X-Own"}]', true) $$;
    create function hours.raises(code text) returns void language plpgsql as $$
    begin
      raise sqlstate 'PGRST' using message = json_build_object('code', code, 'message', 'm'), detail = '{"status": 400, "headers": {}}';
    end $$;
    grant select, insert, delete on all tables in schema hours to anon, authenticated;
  `);
  rest = await openRestService(database, { schemas: ['hours', 'public'] });
});
afterAll(async () => {
  await rest.stop();
  await database.drop();
});

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  rest.ask(method, path, { headers });

describe('Prefer: timezone', () => {
  it.each([
    ['timezone=America/Los_Angeles', 'timezone=America/Los_Angeles'],
    ['handling=strict, timezone=America/Los_Angeles', 'handling=strict, timezone=America/Los_Angeles'],
    ['timezone=america/los_angeles', 'timezone=america/los_angeles'],
  ])('%s writes times as they are there', async (prefer, applied) => {
    const answer = await ask('/moments', { prefer });
    expect(answer.json).toEqual([
      { id: 1, at: '2023-10-18T05:37:59.611-07:00' },
      { id: 2, at: '2023-10-18T07:37:59.611-07:00' },
    ]);
    expect(answer.headers['preference-applied']).toBe(applied);
    // The connection is as before for whoever comes next.
    expect((await ask('/moments?id=eq.1&select=at')).json).toEqual([{ at: '2023-10-18T12:37:59.611+00:00' }]);
  });

  it('holds for what is written and for what is called', async () => {
    const called = await rest.ask('POST', '/rpc/at_noon', { headers: { prefer: 'timezone=Asia/Tokyo' } });
    expect(called.json).toEqual([{ id: 3, at: '2024-01-01T21:00:00+09:00' }]);
    const deleted = await ask(
      '/moments?id=eq.3',
      { prefer: 'timezone=Asia/Tokyo, return=representation' },
      'DELETE',
    );
    expect(deleted.json).toEqual([{ id: 3, at: '2024-01-01T21:00:00+09:00' }]);
    expect(deleted.headers['preference-applied']).toBe('return=representation, timezone=Asia/Tokyo');
  });

  it('of a zone that there is not is ignored, and refused where preferences are strict', async () => {
    const lenient = await ask('/moments?id=eq.1&select=at', { prefer: 'timezone=Jupiter/Red_Spot' });
    expect([lenient.json, lenient.headers['preference-applied']]).toEqual([
      [{ at: '2023-10-18T12:37:59.611+00:00' }],
      undefined,
    ]);
    const strict = await ask('/moments', { prefer: 'handling=strict, timezone=Jupiter/Red_Spot' });
    expect([strict.status, strict.json]).toMatchObject([
      400,
      { code: 'PGRST122', details: 'Invalid preferences: timezone=Jupiter/Red_Spot' },
    ]);
  });
});

describe('the address of an answer', () => {
  it.each([
    ['/moments', '/moments'],
    ['/moments?select=id&id=gte.1&order=id.desc', '/moments?id=gte.1&order=id.desc&select=id'],
    ['/moments?select=id,at&or=(id.eq.1,id.eq.2)', '/moments?or=%28id.eq.1%2Cid.eq.2%29&select=id%2Cat'],
    ['/moments?id=in.(1,2)&id=gt.0', '/moments?id=in.%281%2C2%29&id=gt.0'],
  ])('%s is %s', async (path, location) => {
    for (const method of ['GET', 'HEAD'])
      expect((await ask(path, {}, method)).headers['content-location']).toBe(location);
  });

  it('is not told of calls, changes and refusals', async () => {
    for (const answer of [
      await ask('/rpc/told'),
      await ask('/moments?id=eq.9', {}, 'DELETE'),
      await ask('/x'),
    ])
      expect(answer.headers['content-location']).toBeUndefined();
  });
});

describe('a refusal', () => {
  it('says how many rows there are to whom asks for more', async () => {
    const answer = await ask('/moments?offset=5', { prefer: 'count=exact' });
    expect([answer.status, answer.headers['content-range']]).toEqual([416, '*/2']);
  });

  it('names its code in a header, too', async () => {
    expect((await ask('/nada', {}, 'HEAD')).headers['proxy-status']).toBe('PostgREST; error=PGRST205');
    expect((await ask('/moments?id=eq.x')).headers['proxy-status']).toBe('PostgREST; error=22P02');
    const token = await ask('/moments', { authorization: 'Bearer x' });
    expect(token.headers['proxy-status']).toBe('PostgREST; error=PGRST301');
    expect((await ask('/moments')).headers['proxy-status']).toBeUndefined();
  });

  it('leaves a code out that is none', async () => {
    for (const [code, header] of [
      ['ABC', 'PostgREST; error=ABC'],
      ['a"; error=b', undefined],
    ]) {
      const answer = await rest.ask('POST', '/rpc/raises', { body: { code } });
      expect([answer.status, answer.headers['proxy-status']]).toEqual([400, header]);
    }
  });
});

describe('what a function may know of the request', () => {
  it('are its cookies and headers', async () => {
    const answer = await ask('/rpc/told', { cookie: 'a=1; b=um%20dois', 'x-own': 'ação' });
    expect(answer.json).toMatchObject({
      cookies: { a: '1', b: 'um dois' },
      headers: { cookie: 'a=1; b=um%20dois' },
    });
    expect((await ask('/rpc/told')).json).toMatchObject({ cookies: {} });
  });
});

describe('Vary', () => {
  it('names what an answer may differ by, unless a function knows better', async () => {
    for (const path of ['/moments', '/nada'])
      expect((await ask(path)).headers['vary']).toBe('Accept, Prefer, Range');
    expect((await ask('/rpc/kept')).headers['vary']).toBe('X-Own');
  });
});

describe('OPTIONS', () => {
  it.each([
    ['/', 'OPTIONS,GET,HEAD'],
    ['/moments', 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE'],
    ['/counted', 'OPTIONS,GET,HEAD'],
    ['/rpc/told', 'OPTIONS,GET,HEAD,POST'],
    ['/rpc/at_noon', 'OPTIONS,POST'],
  ])('%s allows %s', async (path, allow) => {
    const answer = await ask(path, {}, 'OPTIONS');
    expect([answer.status, answer.headers['allow'], answer.text]).toEqual([200, allow, '']);
  });

  it('knows no path that there is not', async () => {
    expect((await ask('/nada', {}, 'OPTIONS')).status).toBe(404);
  });
});

describe('the description', () => {
  it('has headers alone on HEAD, and describes the schema that is asked for', async () => {
    const head = await ask('/', { 'accept-profile': 'hours' }, 'HEAD');
    expect([head.status, head.text, head.headers['content-type'], head.headers['content-profile']]).toEqual([
      200,
      '',
      'application/openapi+json; charset=utf-8',
      'hours',
    ]);
    const other = await ask('/', { 'accept-profile': 'public', accept: 'application/openapi+json' });
    expect(other.headers['content-profile']).toBe('public');
    expect(Object.keys((other.json as { paths: object }).paths)).not.toContain('/moments');
    expect((await ask('/', { 'accept-profile': 'auth' })).status).toBe(406);
    expect((await ask('/', { accept: 'text/csv' })).status).toBe(406);
  });
});

describe('the one schema that there is', () => {
  it('is named in the answer where the request names it, as the official client always does', async () => {
    const alone = await openRestService(database, { schemas: ['hours'] });
    const profileOf = async (method: string, path: string, headers: Record<string, string> = {}) =>
      (await alone.ask(method, path, { headers })).headers['content-profile'];
    try {
      const reading = { 'accept-profile': 'hours' };
      for (const [method, path] of [
        ['GET', '/moments'],
        ['HEAD', '/moments'],
        ['GET', '/rpc/told'],
        ['GET', '/'],
      ] as const) {
        const [named, unnamed] = [await profileOf(method, path, reading), await profileOf(method, path)];
        expect([method, path, named, unnamed]).toEqual([method, path, 'hours', undefined]);
      }
      const writing = { 'content-profile': 'hours' };
      const shown = { ...writing, prefer: 'return=representation' };
      expect(await profileOf('DELETE', '/moments?id=eq.9', shown)).toBe('hours');
      expect(await profileOf('DELETE', '/moments?id=eq.9', writing)).toBeUndefined();
    } finally {
      await alone.stop();
    }
  });
});

describe('the header by which a proxy finds a request again', () => {
  it('is repeated in every answer, where the settings name one and the client sent it', async () => {
    const traced = await openRestService(database, { schemas: ['hours'], traceHeader: 'x-request-id' });
    try {
      const traceOf = async (path: string, headers = {}) =>
        (await traced.ask('GET', path, { headers })).headers['x-request-id'];
      const sent = { 'X-Request-Id': 'ab-1' };
      expect(await traceOf('/moments', sent)).toBe('ab-1');
      expect(await traceOf('/nada', sent)).toBe('ab-1');
      expect(await traceOf('/moments', { ...sent, authorization: 'Bearer x' })).toBe('ab-1');
      expect(await traceOf('/moments')).toBeUndefined();
      expect((await ask('/moments', sent)).headers['x-request-id']).toBeUndefined();
    } finally {
      await traced.stop();
    }
  });
});

describe('Server-Timing', () => {
  it('says how long each stage took, only where it is switched on', async () => {
    expect((await ask('/moments')).headers['server-timing']).toBeUndefined();
    const timed = await openRestService(database, { schemas: ['hours'], serverTiming: true });
    try {
      const dur = 'dur=\\d+\\.\\d';
      const answer = await timed.ask('GET', '/moments');
      expect(answer.headers['server-timing']).toMatch(
        new RegExp(`^jwt;${dur}, parse;${dur}, plan;${dur}, transaction;${dur}, response;${dur}$`),
      );
      const refused = await timed.ask('GET', '/nada');
      expect(refused.headers['server-timing']).toMatch(new RegExp(`^jwt;${dur}, parse;${dur}, plan;${dur}$`));
      const stranger = await timed.ask('GET', '/moments', { headers: { authorization: 'Bearer x' } });
      expect(stranger.headers['server-timing']).toMatch(new RegExp(`^jwt;${dur}$`));
    } finally {
      await timed.stop();
    }
  });
});
