import { expect, test } from 'vitest';
import type { ChangeRequest } from '../change-subscriptions.ts';
import { parseChangeRequests } from './parse-change-requests.ts';

const parse = (request: unknown) => parseChangeRequests([request as ChangeRequest]);
const filtersOf = (filter: string) => {
  const parsed = parse({ event: '*', schema: 'public', table: 't', filter });
  if (!parsed.ok) return parsed.reason;
  return parsed.requests[0]?.filters.map(({ column, operator, negated, value, items }) => [
    `${column} ${negated ? 'not ' : ''}${operator}`,
    operator === 'in' ? items : value,
  ]);
};

test.each([
  ['', []],
  ['   ', []],
  ['id=eq.5', [['id eq', '5']]],
  ['id=eq.', [['id eq', '']]],
  ['url=eq.https://a.br/?x=1&y=2', [['url eq', 'https://a.br/?x=1&y=2']]],
  ['id=not.in.(1,2)', [['id not in', ['1', '2']]]],
  [
    'id=gt.0,id=lt.100',
    [
      ['id gt', '0'],
      ['id lt', '100'],
    ],
  ],
  [
    'name=in.(red,blue),n=gt.0',
    [
      ['name in', ['red', 'blue']],
      ['n gt', '0'],
    ],
  ],
  ['a=in.("x,y","q\\"q",NULL,"null", b )', [['a in', ['x,y', 'q"q', null, 'null', 'b']]]],
  [
    'a=eq."x,y",b=is.null',
    [
      ['a eq', 'x,y'],
      ['b is', 'null'],
    ],
  ],
  [
    'a=eq.x),b=eq.y)',
    [
      ['a eq', 'x)'],
      ['b eq', 'y)'],
    ],
  ],
  ['a=eq.say "hi"', [['a eq', 'say "hi"']]],
  ['a=like.%a\\%%', [['a like', '%a\\%%']]],
  ["a=eq.'; drop table links; --", [['a eq', "'; drop table links; --"]]],
])('filter %j', (filter, expected) => {
  expect(filtersOf(filter)).toEqual(expected);
});

test.each([
  ['wrong', 'Error parsing `filter` params: ["wrong"]'],
  ['undefined', 'Error parsing `filter` params: ["undefined"]'],
  ['subject=foo.hey', 'Error parsing `filter` params: ["foo", "hey"]'],
  ['subject=eq', 'Error parsing `filter` params: ["eq"]'],
  ['id=in.1', 'Error parsing `filter` params: `in` filter value must be wrapped by parentheses'],
  [
    'id=gt.0,',
    'Error parsing `filter` params: filter must not contain empty segments (check for extra commas)',
  ],
  ['or=(id.eq.1,id.eq.2)', 'Error parsing `filter` params: ["(id", "eq.1,id.eq.2)"]'],
  [
    `id=in.(${Array.from({ length: 101 }, (_, n) => n).join()})`,
    'Error parsing `filter` params: too many values for `in` filter. Maximum 100',
  ],
])('malformed filter %j', (filter, reason) => {
  expect(filtersOf(filter)).toBe(reason);
});

test.each([
  [{ schema: 'public' }, { event: '*', schema: 'public', table: '*' }],
  [
    { event: 'insert', table: 't' },
    { event: 'INSERT', schema: 'public', table: 't' },
  ],
  [
    { event: 'DELETE', schema: '*', table: 't' },
    { event: 'DELETE', schema: '*', table: 't' },
  ],
  [{ schema: 's', table: 't', select: ['a', 'a', 7, 'b'] }, { select: ['a', 'b'] }],
])('request %j', (request, expected) => {
  expect(parse(request)).toMatchObject({ ok: true, requests: [expected] });
});

test.each([
  [{}, 'No subscription params provided'],
  [{ event: 'INSERT' }, 'No subscription params provided'],
  [{ schema: {}, table: 't' }, 'No subscription params provided'],
  [{ schema: 's', table: 7 }, 'No subscription params provided'],
  [{ schema: 's', filter: [1] }, 'No subscription params provided'],
  [{ schema: 's', event: 'TRUNCATE' }, 'Error parsing `event` params'],
  [{ schema: 's', table: 't', select: 'a' }, 'Error parsing `select` params'],
  [{ schema: 's', select: ['a'] }, 'Column selection is not supported for wildcard subscriptions'],
  [null, 'No subscription params provided'],
  ['links', 'No subscription params provided'],
])('malformed request %j', (request, reason) => {
  const parsed = parse(request);
  expect(parsed.ok ? '' : parsed.reason).toContain(reason);
});

test('a channel cannot ask for more than a hundred', () => {
  const many = Array.from({ length: 101 }, () => ({ event: '*', schema: 'public' }));
  expect(parseChangeRequests(many).ok).toBe(false);
  expect(parseChangeRequests(many.slice(1)).ok).toBe(true);
});
