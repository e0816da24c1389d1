import { describe, expect, test } from 'vitest';
import { mutateSql } from './mutate-sql.ts';
import { tokenizeSql } from './tokenize-sql.ts';

const changed = (source: string, kind: 'body' | 'condition' = 'condition') =>
  mutateSql(source, kind).map(({ text }) => text.replaceAll(/\s+/g, ' ').trim());

describe('tokens', () => {
  test.each([
    `select 'it''s', E'a\\'b', $a$ and $a$, "Or ""x""", $1 -- and\n /* or /* and */ */ a.b::text->>'c' <= 1.5e3 || x[1:2]`,
    'a+--b\n-1',
    'begin\n  x := y => 3;\nend',
  ])('are the whole text: %s', (text) => {
    expect(
      tokenizeSql(text)
        .map((token) => token.text)
        .join(''),
    ).toBe(text);
  });

  test('are refused where there is no SQL', () => {
    expect(() => tokenizeSql('select \\')).toThrow('no SQL');
  });
});

describe('a change', () => {
  test.each<readonly [string, readonly string[]]>([
    ['a < b', ['a <= b', 'true']],
    ['a = 1', ['a <> 1', 'a = 2', 'true']],
    [
      "until > now() + '1 day'",
      ["until < now() + '1 day'", "until > now() - '1 day'", "until > now() + '2 day'", 'true'],
    ],
    ['a is null', ['a is not null', 'true']],
    ['a is not distinct from b', ['a is distinct from b', 'true']],
    ["state = 'active'", ["state <> 'active'", "state = 'active~'", 'true']],
    ['not a', ['a', 'true']],
  ])('of %s', (source, all) => {
    expect(changed(source)).toEqual(all);
  });

  test('leaves out each operand by itself, also within parentheses', () => {
    const all = changed('a and (b or c) and d between x and y');
    expect(all).toEqual([
      'a or (b or c) and d between x and y',
      'a and (b and c) and d between x and y',
      'a and (b or c) or d between x and y',
      'true and (b or c) and d between x and y',
      'a and (false or c) and d between x and y',
      'a and (b or false) and d between x and y',
      'a and true and d between x and y',
      'a and (b or c) and true',
    ]);
  });

  test('touches neither comments nor strings', () => {
    expect(mutateSql(`select 'a and 1 < 2' -- not true\n from b`, 'body')).toEqual([]);
  });

  test('leaves out a statement, a lock, an answer', () => {
    const body = `begin
      perform pg_advisory_xact_lock(7);
      select x into y from t for no key update of t;
      if not found then return null; end if;
      return y;
    end`;
    expect(mutateSql(body, 'body').map(({ what }) => what)).toEqual([
      '7 → 8',
      'for no key update of t → nothing',
      'not → nothing',
      'not found → true',
      'not found → false',
      'without: perform pg_advisory_xact_lock ( 7 )',
      'without: select x into y from t for no',
      'without: return null',
      'without: return y',
    ]);
  });

  test('of the same kind in the same line has a number', () => {
    expect(mutateSql('a + b + c', 'condition').map(({ what }) => what)).toEqual([
      '+ → -',
      '+ → - (2)',
      'a + b + c → true',
    ]);
  });

  test('takes the cases of a value for values', () => {
    expect(changed("case what when 'links' then a else b end", 'body')).toEqual([
      "case what when 'links~' then a else b end",
    ]);
  });
});
