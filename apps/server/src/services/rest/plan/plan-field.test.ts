import { describe, expect, it } from 'vitest';
import { planWorkshop } from './test-support/plan-workshop.ts';

/** What is asked of the root's rows, or why the request is refused. */
function whereOf(query: string) {
  const planned = planWorkshop(`GET /projects?${query}`);
  if (!planned.ok) return planned.failure;
  return planned.value.kind === 'read' ? planned.value.read.where : undefined;
}

const PATH = [{ asText: true, key: 'a', isIndex: false }];
const LABEL = { schema: 'workshop', name: 'label' };

describe('a field', () => {
  it.each([
    ['budget=eq.1', { name: 'budget', path: [], type: 'text', computedBy: undefined }],
    ['data->>a=eq.1', { name: 'data', path: PATH, type: 'text', computedBy: undefined }],
    ['label=eq.1', { name: 'label', path: [], type: undefined, computedBy: LABEL }],
    ['nope=eq.1', { name: 'nope', path: [], type: undefined, computedBy: undefined }],
  ])('%s has the type of its column, or is computed', (query, field) => {
    expect(whereOf(query)).toMatchObject([{ kind: 'filter', field }]);
  });
});

describe('a question about an embed', () => {
  it.each([
    ['clients=is.null', true],
    ['clients=not.is.null', false],
    ['clients=is.not_null', false],
    ['clients=not.is.not_null', true],
    ['client_id=is.null', true],
    ['client_id=not.is.null', false],
  ])('%s asks whether it has none: %s', (question, negated) => {
    expect(whereOf(`select=id,${question.split('=')[0]}()&${question}`)).toEqual([
      { kind: 'embed-exists', embedAlias: expect.any(String), negated },
    ]);
  });

  it('asks the embed by the name that it has in the request', () => {
    expect(whereOf('select=id,c:clients()&c=is.null')).toMatchObject([{ kind: 'embed-exists' }]);
    expect(whereOf('select=id,c:clients()&clients=is.null')).toMatchObject([{ kind: 'filter' }]);
  });

  it('asks one that is spread, too', () => {
    expect(whereOf('select=id,...clients(city)&clients=is.null')).toMatchObject([
      { kind: 'embed-exists', negated: true },
    ]);
  });

  it('may only ask for null', () => {
    for (const operation of ['eq.1', 'is.true'])
      expect(whereOf(`select=id,clients()&clients=${operation}`)).toMatchObject({
        code: 'PGRST120',
        message: "Bad operator on the 'clients' embedded resource",
      });
    expect(whereOf('select=id,clients()&or=(id.eq.1,and(clients.eq.1,id.eq.2))')).toMatchObject({
      code: 'PGRST120',
    });
  });

  it.each([
    ['a column of that name', 'select=id,name:clients()&name=eq.a'],
    ['a place inside of it', 'select=id,clients()&clients->>a=is.null'],
    ['none', 'select=id&clients=is.null'],
  ])('is not meant by %s', (_what, query) => {
    expect(whereOf(query)).toMatchObject([{ kind: 'filter' }]);
  });

  it('stands anywhere among other conditions, which keep their form', () => {
    expect(
      whereOf('select=id,clients()&not.or=(clients.is.null,and(id.eq.1,budget.not.gt.2))'),
    ).toMatchObject([
      {
        ...{ kind: 'group', operator: 'or', negated: true },
        children: [
          { kind: 'embed-exists', negated: true },
          {
            ...{ kind: 'group', operator: 'and', negated: false },
            children: [{ kind: 'filter' }, { kind: 'filter', negated: true }],
          },
        ],
      },
    ]);
  });
});

describe('a regular expression', () => {
  const faultOf = (pattern: string, operator = 'match') => {
    const where = whereOf(`name=${operator}.${encodeURIComponent(pattern)}`);
    return where !== undefined && 'details' in where ? where.details : undefined;
  };

  it.each([
    'a+b*',
    '(?:a|b)',
    '\\d\\0',
    'a'.repeat(200),
    'a{256}',
    '(a{16}){16}',
    '(a{2,16}){16}',
    '(a{16,}){16}',
    'a{0}{256}',
    '(a{x}){300x}',
    '**',
  ])('%s may run', (pattern) => {
    expect([faultOf(pattern), faultOf(pattern, 'imatch')]).toEqual([undefined, undefined]);
  });

  it.each([
    ['a'.repeat(201), 'at most 200 characters'],
    ['(a)\\1', 'no back-references'],
    ['(a)\\9', 'no back-references'],
    ['(?=a)', 'no look-around and no embedded options'],
    ['(?!a)', 'no look-around and no embedded options'],
    ['(?i)a', 'no look-around and no embedded options'],
    ['***=a', 'no director prefix'],
    ['a{257}', 'at most 256 repetitions in all'],
    ['a{1,257}', 'at most 256 repetitions in all'],
    ['(a{16}){17}', 'at most 256 repetitions in all'],
    ['((a{1,20}){1,20}){1,20}', 'at most 256 repetitions in all'],
  ])('%s may not: %s', (pattern, rule) => {
    const listed = `{"${pattern.replaceAll('\\', '\\\\')}"}`;
    for (const given of [faultOf(pattern), faultOf(pattern, 'imatch'), faultOf(listed, 'match(any)')])
      expect(given).toBe(`A regular expression has ${rule}.`);
  });

  it.each([
    ['{"(\\?=a)b"}', 'no look-around and no embedded options'],
    ['{(\\?=a)b}', 'no look-around and no embedded options'],
    ['{"((a{1\\00}){1\\00}){1\\00}"}', 'at most 256 repetitions in all'],
    ['{"**\\*=a"}', 'no director prefix'],
    ['{"(a)\\\\\\1"}', 'no back-references'],
  ])('%s may not hide behind the backslashes of a list: %s', (list, rule) => {
    for (const operator of ['match(any)', 'imatch(all)'])
      expect(faultOf(list, operator)).toBe(`A regular expression has ${rule}.`);
  });

  it('of a list may have what only looks refused with the list’s backslashes', () => {
    expect(faultOf('{"(a)\\1"}', 'match(any)')).toBeUndefined();
    expect(faultOf('{"(\\\\?=a)b"}', 'match(any)')).toBeUndefined();
  });

  it('is what other operators compare with', () => {
    expect(faultOf('(?=a)', 'eq')).toBeUndefined();
  });
});
