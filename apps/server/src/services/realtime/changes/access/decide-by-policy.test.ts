import { expect, test } from 'vitest';
import { decideByPolicy } from './decide-by-policy.ts';
import { parsePolicy } from './parse-policy.ts';
import type { PolicyList } from './policy-rule.ts';

const ME = '11111111-1111-4111-8111-111111111111';
const caller = { id: ME, email: 'eu@exemplo.com.br' };
const row = new Map<string, string | null>([
  ['user_id', ME],
  ['other_id', 'else'],
  ['empty', null],
  ['email', 'eu@exemplo.com.br'],
  ['Odd "name"', ME],
]);
const decide = (expression: string, asked = caller as { id: string | null | undefined; email: string }) =>
  decideByPolicy(parsePolicy(expression), {
    caller: asked,
    valueOf: (column) => row.get(column),
    listOf: () => undefined,
  });

const MINE = '(user_id = ( SELECT auth.uid() AS uid))';
const OTHERS = '(other_id = auth.uid())';
const OPEN = '(id = ANY (( SELECT private.some() AS some)::uuid[]))';

test.each([
  [MINE, true],
  ['(auth.uid() = user_id)', true],
  [OTHERS, false],
  ['(empty = auth.uid())', null],
  ['(email = ( SELECT lower(auth.email()) AS lower))', true],
  ['("Odd ""name""" = auth.uid())', true],
  ['true', true],
  ['false', false],
  [`(NOT ${MINE})`, false],
  [`(${MINE} OR ${OPEN})`, true],
  [`(${OTHERS} OR ${OPEN})`, undefined],
  [`(${OTHERS} AND ${OPEN})`, false],
  [`(${MINE} AND ${OPEN})`, undefined],
  [`(${MINE} AND (empty = auth.uid()))`, null],
  [`CASE\n    WHEN ${MINE} THEN true\n    ELSE ${OPEN}\nEND`, true],
  [`CASE WHEN ${OTHERS} THEN ${OPEN} WHEN ${MINE} THEN false ELSE true END`, false],
  [`CASE WHEN ${OPEN} THEN true ELSE true END`, undefined],
  [`(${OTHERS} OR CASE WHEN ${MINE} THEN true ELSE false END)`, true],
])('%s', (expression, verdict) => {
  expect(decide(expression)).toBe(verdict);
});

test.each([
  ['true', true],
  ['false', false],
  [null, null],
  [undefined, undefined],
] as const)('a yes or no of the caller’s alone: %j', (answer, verdict) => {
  const facts = { caller, valueOf: () => null };
  for (const expression of ['( SELECT private.may() AS may)', '(false OR ( SELECT private.may() AS may))']) {
    const asked: string[] = [];
    const listOf = (list: PolicyList) => {
      asked.push(list.expression);
      return answer === undefined ? undefined : new Set([answer]);
    };
    expect(decideByPolicy(parsePolicy(expression), { ...facts, listOf })).toBe(verdict);
    expect(asked).toEqual(['array["private"."may"()::text]']);
  }
});

test.each([
  '( SELECT private.may(user_id) AS may)',
  '( SELECT private.may() AS may FROM public.others)',
  '( SELECT (NOT private.may()) AS may)',
  '',
  '(',
  ')(',
  "'unfinished",
  '(user_id = auth.uid() AND true)',
  '(user_id = auth.uid()) IS TRUE',
  '(user_id OPERATOR(public.=) auth.uid())',
  '(user_id = "auth".uid())',
  '(user_id = (auth.uid() || NULL))',
  '(user_id = ( SELECT auth.uid() AS uid FROM public.users))',
  '(user_id = COALESCE(auth.uid(), user_id))',
  '(user_id = ANY (auth.uid()))',
  '(( SELECT auth.uid() AS uid) = auth.uid())',
  "(user_id = '( SELECT auth.uid() AS uid)'::uuid)",
  '((user_id)::text = (auth.uid())::text)',
  '"true"',
  'is_public',
  "CASE 'x' WHEN 'x' THEN true ELSE false END",
  `CASE WHEN ${MINE} THEN true END`,
  'CASE WHEN true THEN true ELSE true END IS NULL',
  "(E'\\'' = user_id)",
])('is left to the database: %s', (expression) => {
  expect(decide(expression)).toBeUndefined();
});

test('a caller without an id owns nothing, one whose id cannot be read is left to the database', () => {
  expect(decide(MINE, { id: null, email: 'x' })).toBeNull();
  expect(decide(MINE, { id: undefined, email: 'x' })).toBeUndefined();
});
