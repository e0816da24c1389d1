import { samePageKey, TRACKING_NAMES, TRACKING_PREFIXES } from '@linkoteca/domain/same-address';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let database: ThrowawayDatabase;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());

/** What the database says of each address. */
async function keysOf(urls: readonly string[]): Promise<readonly string[]> {
  const { rows } = await database.admin.query<{ key: string }>(
    'select private.address_key(u) as key from unnest($1::text[]) with ordinality as given(u, place) order by place',
    [urls],
  );
  return rows.map(({ key }) => key);
}

async function areSame(one: string, other: string): Promise<{ database: boolean; browser: boolean }> {
  const [first, second] = await keysOf([one, other]);
  return { database: first === second, browser: samePageKey(one) === samePageKey(other) };
}

describe('one page', () => {
  test.each([
    ['https://exemplo.com.br', 'https://exemplo.com.br/'],
    ['https://exemplo.com.br/a', 'http://exemplo.com.br/a'],
    ['https://www.Exemplo.com.br/a', 'HTTPS://exemplo.COM.br/a'],
    ['https://exemplo.com.br/a/', 'https://exemplo.com.br/a'],
    ['https://exemplo.com.br/a//b', 'https://exemplo.com.br/a/b'],
    ['https://exemplo.com.br:443/a', 'http://exemplo.com.br:80/a'],
    ['https://exemplo.com.br./a', 'https://exemplo.com.br/a'],
    ['https://exemplo.com.br/a#parte', 'https://exemplo.com.br/a'],
    ['https://exemplo.com.br/a?', 'https://exemplo.com.br/a'],
    ['https://exemplo.com.br/a?b=1&c=2', 'https://exemplo.com.br/a?c=2&b=1'],
    ['https://exemplo.com.br/a?utm_source=x&b=1&fbclid=y', 'https://exemplo.com.br/a?b=1'],
    ['https://exemplo.com.br/a/?UTM_Campaign=x', 'https://exemplo.com.br/a'],
    ['https://exemplo.com.br/?a', 'https://exemplo.com.br?a'],
    ['https://youtu.be/abc?si=x', 'https://youtu.be/abc'],
    ['https://www.youtube.com/watch?v=1&si=x', 'http://youtube.com/watch?v=1'],
    ['https://exemplo.com.br/ação?q=é', 'https://exemplo.com.br/a%C3%A7%c3%a3o?q=%C3%A9'],
    ['https://exemplo.com.br/%7Eana/a%20b', 'https://exemplo.com.br/~ana/a b'],
    ['https://exemplo.com.br/?q=a+b', 'https://exemplo.com.br/?q=a%20b'],
    ['https://exemplo.com.br/?q=a%2fb', 'https://exemplo.com.br/?q=a%2Fb'],
    ['https://web.archive.org/web/2020/https://a.br/', 'https://web.archive.org/web/2020/https://a.br'],
    ['https://app.br/#/inbox', 'http://www.app.br#/inbox'],
    ['https://exemplo.com.br/a#:~:text=pão', 'https://exemplo.com.br/a'],
    ['https://exemplo.com.br/a?&b=1&&', 'https://exemplo.com.br/a?b=1'],
  ])('%s and %s', async (one, other) => {
    expect(await areSame(one, other)).toEqual({ database: true, browser: true });
  });
});

describe('two pages', () => {
  test.each([
    ['https://exemplo.com.br/a', 'https://exemplo.com.br/A'],
    ['https://exemplo.com.br/a', 'https://exemplo.com.br/a?b=1'],
    ['https://exemplo.com.br/a?b=1', 'https://exemplo.com.br/a?b=2'],
    ['https://exemplo.com.br/a?b', 'https://exemplo.com.br/a?b='],
    ['https://exemplo.com.br/a?b=1&b=2', 'https://exemplo.com.br/a?b=2&b=1'],
    ['https://exemplo.com.br/a%2Fb', 'https://exemplo.com.br/a/b'],
    ['https://exemplo.com.br/?q=a%26b', 'https://exemplo.com.br/?q=a&b'],
    ['https://exemplo.com.br/?q=a%2Bb', 'https://exemplo.com.br/?q=a+b'],
    ['https://exemplo.com.br/?q=%2520', 'https://exemplo.com.br/?q=%20'],
    ['https://exemplo.com.br:8080/a', 'https://exemplo.com.br/a'],
    ['ftp://exemplo.com.br/a', 'https://exemplo.com.br/a'],
    ['https://ana:senha@exemplo.com.br/', 'https://ana:Senha@exemplo.com.br/'],
    ['https://app.br/#/inbox', 'https://app.br/#/sent'],
    ['https://app.br/#!a', 'https://app.br/'],
    ['https://exemplo.com.br/?si=1', 'https://exemplo.com.br/?si=2'],
    ['https://exemplo.com.br/?q=%E3', 'https://exemplo.com.br/?q=%E7'],
    ['https://exemplo.com.br/?q=100%', 'https://exemplo.com.br/?q=100'],
    ['https://blog.exemplo.com.br/', 'https://exemplo.com.br/'],
  ])('%s and %s', async (one, other) => {
    expect(await areSame(one, other)).toEqual({ database: false, browser: false });
  });
});

test('the tracking parameters are the same list in both places', async () => {
  const { rows } = await database.admin.query<{ code: string }>(
    `select pg_get_functiondef('private.is_tracking_parameter(text, text)'::regprocedure) as code`,
  );
  const lists = [...(rows[0]?.code ?? '').matchAll(/\bin \(([^)]*)\)/g)].map(([, list = '']) =>
    [...list.matchAll(/'([^']*)'/g)].map(([, name]) => name),
  );
  expect(lists).toEqual([[...TRACKING_PREFIXES], [...TRACKING_NAMES]]);
});

test('the browser and the database put random addresses into the same classes', async () => {
  let state = 5;
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const pick = (list: readonly string[]) => list[random(list.length)] ?? '';
  const some = (list: readonly string[], most: number) =>
    Array.from({ length: random(most + 1) }, () => pick(list));
  const make = () => {
    const path = some(
      ['/', '/a', '/a/', '/ação', '/a%C3%A7%C3%A3o', '/%61', '/b%2Fc', '/b/c', '//b', '/x y', '/x%20y'],
      2,
    );
    const query = some(
      [
        'a=1',
        'a=2',
        'b',
        'c=',
        'utm_source=x',
        'FBCLID=1',
        'si=1',
        'q=á',
        'q=%C3%A1',
        'q=x+y',
        'q=x%20y',
        '%61=1',
        '',
      ],
      3,
    );
    return [
      pick(['http://', 'https://', 'HTTPS://']),
      pick(['', '', 'eu@', 'EU@']),
      pick(['', 'www.', 'WWW.', 'www.www.']),
      pick(['a.br', 'A.br', 'a.br.', 'youtu.be', 'localhost', 'a.b.co']),
      pick(['', '', ':80', ':443', ':8080', ':']),
      path.join(''),
      query.length > 0 || random(4) === 0 ? `?${query.join('&')}` : '',
      pick(['', '', '#', '#x', '#/x', '#!x', '#/x:~:text=y', '#/é', '#/%C3%A9']),
    ].join('');
  };
  const urls = [...new Set(Array.from({ length: 20_000 }, make))];
  const inDatabase = await keysOf(urls);
  const inBrowser = urls.map(samePageKey);
  const pairs = new Set(urls.map((_url, at) => `${inDatabase[at]}\n${inBrowser[at]}`));
  const example = (index: (at: number) => string) => {
    const first = new Map<string, number>();
    const other = index === fromDatabase ? fromBrowser : fromDatabase;
    for (const at of urls.keys()) {
      const before = first.get(index(at));
      if (before === undefined) first.set(index(at), at);
      else if (other(before) !== other(at)) return [urls[before], urls[at], other(before), other(at)];
    }
    return null;
  };
  const fromDatabase = (at: number) => inDatabase[at] ?? '';
  const fromBrowser = (at: number) => inBrowser[at] ?? '';
  expect(example(fromDatabase), 'one in the database, two in the browser').toBeNull();
  expect(example(fromBrowser), 'one in the browser, two in the database').toBeNull();
  // They do fall together: else the comparison would say nothing.
  expect(pairs.size).toBeLessThan(urls.length * 0.7);
});

test('every link is in the index under its key, whatever became of it', async () => {
  const { rows } = await database.admin.query(
    `select count(*)::int as wrong from public.links l full join private.link_addresses a
       on a.id = l.id and a.user_id = l.user_id and a.created_at = l.created_at
         and a.hash = hashtextextended(private.address_key(l.url), 0)
     where l.id is null or a.id is null`,
  );
  expect(rows).toEqual([{ wrong: 0 }]);
});
