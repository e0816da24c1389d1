import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planRequest } from '../plan/plan-request.ts';
import { buildSchemaCache } from '../schema-cache/create-schema-source.ts';
import { renderReadStatement } from '../sql/render-read-statement.ts';
import { parseRequest } from './parse-request.ts';

const column = (name: string, type: string) => ({
  name,
  type,
  baseType: null,
  nullable: true,
  defaultExpression: null,
});
const links = { schema: 'public', name: 'links' };
const categories = { schema: 'public', name: 'categories' };
const cache = buildSchemaCache(
  {
    relations: [
      {
        ...links,
        isView: false,
        hidesRows: true,
        comment: null,
        primaryKey: ['id'],
        columns: [
          column('id', 'uuid'),
          column('title', 'text'),
          column('data', 'jsonb'),
          column('category_id', 'uuid'),
        ],
      },
      {
        ...categories,
        isView: false,
        hidesRows: true,
        comment: null,
        primaryKey: ['id'],
        columns: [column('id', 'uuid'), column('name', 'text')],
      },
    ],
    foreignKeys: [
      {
        constraint: 'links_category',
        columns: [['category_id', 'id']],
        isUnique: false,
        origin: { ...links, id: 1, positions: [4] },
        target: { ...categories, id: 2, positions: [1] },
      },
    ],
    primaryKeys: [],
    views: [],
    routines: [],
  },
  1,
);
const settings = { maxRows: 1000, aggregates: false };

function plan(queryString: string, path = '/links') {
  const request = parseRequest({ method: 'GET', path, queryString, headers: {}, body: Buffer.alloc(0) }, [
    'public',
  ]);
  return request.ok ? planRequest(cache, settings, request.value) : request;
}

const piece = fc.oneof(
  fc.constantFrom(
    'select=',
    'order=',
    'or=(',
    'and=(',
    'not.',
    'limit=',
    'offset=',
    'id=',
    'eq.',
    'in.(',
    'is.null',
    'categories',
    '!inner',
    '(',
    ')',
    ',',
    '&',
    '.',
    '::',
    '->',
    '->>',
    '"',
    '\\',
    '*',
    '...',
    'count()',
    'count',
    '%',
    '%27',
    '%00',
    ';',
    '--',
    "'",
    '{',
    '}',
    'like(any).',
  ),
  fc.string({ unit: 'binary', maxLength: 6 }),
);
const hostileQuery = fc.array(piece, { maxLength: 40 }).map((parts) => parts.join(''));

describe('whatever comes in', () => {
  it('is understood or refused, and never thrown at', () => {
    fc.assert(
      fc.property(hostileQuery, fc.string({ unit: 'binary' }), (queryString, path) => {
        for (const outcome of [plan(queryString), plan(queryString, `/${path}`)]) {
          if (!outcome.ok) {
            expect(outcome.failure.status).toBeGreaterThanOrEqual(300);
            expect(outcome.failure.status).toBeLessThan(500);
          } else if (outcome.value.kind === 'read') renderReadStatement(outcome.value);
        }
      }),
      { numRuns: 3000 },
    );
  });
});

/** Marks what a hostile caller controls; letters only, so that it survives every place unchanged. */
const value = fc
  .string({ unit: 'binary', maxLength: 20 })
  .map((text) => `Zq${text.replace(/[\0\ud800-\udfff]/g, '')}Zq`);
const encode = encodeURIComponent;
const place = fc.constantFrom<(text: string) => string>(
  (text) => `title=eq.${encode(text)}`,
  (text) => `title=ilike.${encode(text)}`,
  (text) => `title=in.(${encode(text.replace(/[,()"\\]/g, ''))},b)`,
  (text) => `title=not.isdistinct.${encode(text)}`,
  (text) => `title=wfts.${encode(text)}`,
  (text) => `title=like(any).${encode(text)}`,
  (text) => `or=(title.eq.${encode(`"${text.replace(/[\\"]/g, '\\$&')}"`)},id.is.null)`,
  (text) => `select=*,categories(*)&categories.name=gt.${encode(text)}`,
  (text) => `select=data->>${encode(`"${text.replace(/[\\"]/g, '\\$&')}"`)}&title=eq.Zq`,
);

/** A statement without what is quoted, and without the types of casts, which are words whatever they say. */
function leaveBareWords(text: string): string {
  return text
    .replace(/"(?:[^"]|"")*"/g, '""')
    .replace(/'(?:[^']|'')*'/g, "''")
    .replace(/ as [\w ]+\)/g, ' as word)');
}

describe('a value', () => {
  it('reaches the statement as a parameter only', () => {
    fc.assert(
      fc.property(value, place, (text, put) => {
        const planned = plan(put(text));
        if (!planned.ok) throw new Error(planned.failure.message);
        if (planned.value.kind !== 'read') throw new Error('not a read');
        const statement = renderReadStatement(planned.value);
        const aliases = statement.text.replace(/ as "(?:[^"]|"")*"/g, '');
        expect(aliases).not.toContain('Zq');
        expect(statement.values.join(' ')).toContain('Zq');
      }),
      { numRuns: 2000 },
    );
  });

  it('wherever it stands, torn and repeated, is never a bare word of the statement', () => {
    // What the published client would ask, and pieces that mean something between pieces that are the caller's own.
    const asked = fc.oneof(
      fc.tuple(value, place).map(([text, put]) => put(text)),
      fc.constant(
        'select=id,title,categories(id,name)&category_id=eq.Zq&order=title.desc.nullslast&limit=50',
      ),
      fc.constant(
        'select=*,c:categories!links_category(Zq:name)&or=(title.ilike.*Zq*,and(id.in.(Zq),data->Zq.is.null))',
      ),
    );
    const mutated = fc
      .tuple(asked, fc.array(fc.tuple(fc.nat(200), fc.nat(12), fc.oneof(piece, value)), { maxLength: 4 }))
      .map(([query, changes]) =>
        changes
          .reduce((text, [at, cut, put]) => text.slice(0, at) + put + text.slice(at + cut), query)
          .toWellFormed(),
      );
    fc.assert(
      fc.property(mutated, (queryString) => {
        const planned = plan(queryString);
        if (!planned.ok || planned.value.kind !== 'read') return;
        expect(leaveBareWords(renderReadStatement(planned.value).text)).not.toMatch(/Zq|[;%\\{}]|--|\/\*/);
      }),
      { numRuns: 5000 },
    );
  });

  it('used as a name is quoted, whatever it holds', () => {
    fc.assert(
      fc.property(value, (text) => {
        const planned = plan(`select=${encode(`"${text.replace(/[\\"]/g, '\\$&')}"`)}`);
        if (!planned.ok || planned.value.kind !== 'read') throw new Error('not a read');
        expect(renderReadStatement(planned.value).text).toContain(`"links"."${text.replaceAll('"', '""')}"`);
      }),
      { numRuns: 1000 },
    );
  });
});
