import { describe, expect, it } from 'vitest';
import { parseQuery } from './parse-query.ts';
import { decodeQueryString } from './parse-range.ts';
import type { LogicTree, ParsedQuery } from './request-ast.ts';

function parse(text: string, isCall = false) {
  const pairs = decodeQueryString(text);
  return pairs.ok ? parseQuery(pairs.value, isCall) : pairs;
}

function query(text: string, isCall = false): ParsedQuery {
  const parsed = parse(text, isCall);
  if (!parsed.ok) throw new Error(parsed.failure.message);
  return parsed.value;
}

function show(tree: LogicTree): string {
  const not = tree.negated ? '!' : '';
  if (tree.kind === 'group') return `${not}${tree.operator}(${tree.children.map(show).join(' ')})`;
  const { operation, field } = tree;
  const name = [field.name, ...field.path.map((step) => step.key)].join('.');
  switch (operation.kind) {
    case 'compare':
      return `${not}${name} ${operation.operator}${operation.quantifier ?? ''} <${operation.value}>`;
    case 'in':
      return `${not}${name} in <${operation.values.join('|')}>`;
    case 'search':
      return `${not}${name} ${operation.operator}(${operation.language ?? ''}) <${operation.value}>`;
    default:
      return `${not}${name} ${operation.kind} <${operation.value}>`;
  }
}

describe('filters', () => {
  it.each([
    ['id=eq.5', 'id eq <5>'],
    ['id=not.eq.5', '!id eq <5>'],
    ['name=eq.a.b,(c)"', 'name eq <a.b,(c)">'],
    ['name=eq.', 'name eq <>'],
    ['name=ilike.*x*', 'name ilike <*x*>'],
    ['name=like(any).{a*,b*}', 'name likeany <{a*,b*}>'],
    ['id=gt(all).{1,2}', 'id gtall <{1,2}>'],
    ['id=in.(1,2,3)', 'id in <1|2|3>'],
    ['id=in.()', 'id in <>'],
    ['id=in.(   )', 'id in <>'],
    ['id=in.( a, b)', 'id in <a| b>'],
    ['name=like(any).{%plan%,%brain%}', 'name likeany <{%plan%,%brain%}>'],
    ['name=eq.100%', 'name eq <100%>'],
    ['name=eq.%2G%41', 'name eq <%2GA>'],
    ['name=in.("a,b","c\\"d",e f)', 'name in <a,b|c"d|e f>'],
    ['name=in.("a"b,c)', 'name in <"a"b|c>'],
    ['name=not.in.(a)', '!name in <a>'],
    ['done=is.TRUE', 'done is <true>'],
    ['done=is.not_null', 'done is <not_null>'],
    ['name=isdistinct.x', 'name isdistinct <x>'],
    ['words=fts(portuguese).gato', 'words fts(portuguese) <gato>'],
    ['words=wfts.a or b', 'words wfts() <a or b>'],
    ['tags=cs.{a,b}', 'tags cs <{a,b}>'],
    ['data->owner->>name=eq.Ana', 'data.owner.name eq <Ana>'],
    ['%22a.b%22=eq.1', 'a.b eq <1>'],
    ['name=eq.a%2Bb+c%20d', 'name eq <a+b c d>'],
    ['name=eq.%F0%9F%98%80%D7%A9', 'name eq <😀ש>'],
    ['or=(a.eq.1,b.gt.2)', 'or(a eq <1> b gt <2>)'],
    [
      'and=(a.eq.1,or(b.is.null,not.and(c.in.(1,2),d.not.eq.3)))',
      'and(a eq <1> or(b is <null> !and(c in <1|2> !d eq <3>)))',
    ],
    ['not.or=(a.eq.1,b.eq.2)', '!or(a eq <1> b eq <2>)'],
    ['or=(a.eq."x,y)",b.cs.{1,2},c.ilike.*%25,*)', undefined],
    ['or=(a.eq."x,y)",b.cs.{1,2})', 'or(a eq <x,y)> b cs <{1,2}>)'],
    ['or=( a.eq.1 , b.eq.2 )', 'or(a eq <1 > b eq <2 >)'],
    ['or=(data->>k.eq.v,data->0->>k.eq.w)', 'or(data.k eq <v> data.0.k eq <w>)'],
    ['or=(a.eq.)', 'or(a eq <>)'],
  ])('reads %s', (text, expected) => {
    const parsed = parse(text);
    if (expected === undefined) expect(parsed.ok).toBe(false);
    else expect(parsed.ok && parsed.value.logic.map(({ value }) => show(value)).join(' ')).toBe(expected);
  });

  it.each([
    'id=5',
    'id=foo.5',
    'id=eq',
    'id=is.maybe',
    'id=is.nullx',
    'id=in.1,2',
    'id=in.(1,2',
    'id=in.(1)x',
    'id=eq().1',
    'id=fts().x',
    'id=eq(some).1',
    'id=not.5',
    'or=a.eq.1',
    'or=(a.eq.1',
    'or=()',
    'or=(a)',
    'or=(a.eq.1)b',
    'or=xor(a.eq.1)',
    'a;b=eq.1',
    'a..b=eq.1',
    'order=',
    'order=id.up',
    'order=id.desc.nullsmiddle',
    'order=id;drop table x',
    'limit=x',
    'offset=1e3',
    'limit=0x10',
  ])('refuses %s', (text) => {
    const parsed = parse(text);
    expect(!parsed.ok && parsed.failure).toMatchObject({ status: 400, code: 'PGRST100' });
  });

  it.each([
    [
      'or=()',
      'logic tree (())" (line 1, column 4)',
      'unexpected ")" expecting field name (* or [a..z0..9_$]), negation operator (not) or logic operator (and, or)',
    ],
    [
      'order=id.asc.nullslasttt',
      'order (id.asc.nullslasttt)" (line 1, column 17)',
      `unexpected 't' expecting "," or end of input`,
    ],
    [
      'select=data->(a',
      'select parameter (data->(a)" (line 1, column 7)',
      'unexpected "(" expecting "-", digit or any non reserved character different from: .,>()',
    ],
    [
      'select=data->>--34',
      'select parameter (data->>--34)" (line 1, column 9)',
      'unexpected "-" expecting digit',
    ],
  ])('says where %s cannot be read, and what might stand there', (text, place, details) => {
    const parsed = parse(text);
    expect(!parsed.ok && parsed.failure).toMatchObject({ message: `"failed to parse ${place}`, details });
  });

  it('survives ten thousand parentheses', () => {
    expect(parse(`or=${'('.repeat(10_000)}`).ok).toBe(false);
    expect(parse(`and=${'(and'.repeat(10_000)}(a.eq.1)`).ok).toBe(false);
    expect(parse(`and=${'(not.or'.repeat(30)}(a.eq.1)${')'.repeat(30)}`).ok).toBe(true);
  });
});

describe('paths to embeds', () => {
  it('tells the root from what is embedded', () => {
    const parsed = query(
      'clients.name=eq.x&clients.projects.order=id.desc&clients.limit=3&clients.or=(a.eq.1,b.eq.2)&clients.not.and=(c.eq.1)',
    );
    expect(parsed.logic.map(({ path, value }) => [path, show(value)])).toEqual([
      [['clients'], 'name eq <x>'],
      [['clients'], 'or(a eq <1> b eq <2>)'],
      [['clients'], '!and(c eq <1>)'],
    ]);
    expect(parsed.order[0]?.path).toEqual(['clients', 'projects']);
    expect(parsed.limits).toEqual([{ path: ['clients'], value: 3 }]);
  });
});

describe('order, limit and the rest', () => {
  it('reads directions, nulls, JSON paths and related orders', () => {
    const [order] = query('order=a.desc.nullslast,b,data->>k.asc,c.nullsfirst,clients(name).desc').order;
    expect(
      order?.value.map((t) => [t.relation, t.field.name, t.field.path.length, t.direction, t.nulls]),
    ).toEqual([
      [undefined, 'a', 0, 'desc', 'last'],
      [undefined, 'b', 0, undefined, undefined],
      [undefined, 'data', 1, 'asc', undefined],
      [undefined, 'c', 0, undefined, 'first'],
      ['clients', 'name', 0, 'desc', undefined],
    ]);
  });

  it('refuses a negative limit as a range that cannot be satisfied', () => {
    const parsed = parse('limit=-1');
    expect(!parsed.ok && parsed.failure).toMatchObject({ status: 416, code: 'PGRST103' });
  });

  it('takes an offset before the first row for the first', () => {
    expect(query('offset=-4').offsets[0]?.value).toBe(0);
  });

  it('cuts numbers that no table reaches', () => {
    expect(query('limit=99999999999999999999999').limits[0]?.value).toBe(Number.MAX_SAFE_INTEGER);
  });

  it('reads quoted columns and conflict targets', () => {
    expect(query('columns="a","b c",a&on_conflict=x,y')).toMatchObject({
      columns: ['a', 'b c'],
      onConflict: ['x', 'y'],
    });
  });

  it('takes plain values as arguments of a function, and operations as filters', () => {
    const parsed = query('term=a.b&max=5&id=gt.3&name=not.is.null&or=(id.eq.1,id.eq.2)', true);
    expect(parsed.callArguments).toEqual([
      ['term', 'a.b'],
      ['max', '5'],
    ]);
    expect(parsed.logic.map(({ value }) => show(value))).toEqual([
      'id gt <3>',
      '!name is <null>',
      'or(id eq <1> id eq <2>)',
    ]);
  });

  it.each(['eq(0).text()', 'in(a).b', 'neq(any).1', 'fts().x'])(
    'takes %s as an argument of a function',
    (value) => {
      expect(query(`term=${value}`, true)).toMatchObject({ callArguments: [['term', value]], logic: [] });
    },
  );

  it.each(['eq(any).{1}', 'fts(portuguese).gato'])(
    'takes %s as a filter of what a function gives',
    (value) => {
      const parsed = query(`term=${value}`, true);
      expect([parsed.callArguments, parsed.logic.length]).toEqual([[], 1]);
    },
  );

  it('leaves the gateway key in the address alone', () => {
    expect(query('apikey=eyJ.a.b').logic).toEqual([]);
  });
});

describe('decodeQueryString', () => {
  it.each(['a=%ff', '%C3=1', 'a=%00', '%00=1', 'a=\0', 'a=%ED%A0%80'])('refuses %j', (text) => {
    expect(decodeQueryString(text)).toMatchObject({ ok: false, failure: { status: 400 } });
  });

  it('keeps order, repeated keys and keys without a value', () => {
    expect(decodeQueryString('b=1&a=2&b=3&c&&d=')).toEqual({
      ok: true,
      value: [
        ['b', '1'],
        ['a', '2'],
        ['b', '3'],
        ['c', undefined],
        ['d', ''],
      ],
    });
  });
});
