import { describe, expect, it } from 'vitest';
import { parseAccept, parsePreferences } from './parse-accept.ts';
import { intersectRanges, parseRange } from './parse-range.ts';

describe('parsePreferences', () => {
  it('takes the first preference of a kind', () => {
    const preferences = parsePreferences(
      'count=exact,return=minimal, return=representation ,resolution=merge-duplicates,missing=default,max-affected=10,handling=strict',
    );
    expect(preferences).toEqual({
      count: 'exact',
      representation: 'minimal',
      resolution: 'merge-duplicates',
      missing: 'default',
      maxAffected: 10,
      handling: 'strict',
      tx: undefined,
      unknown: [],
    });
  });

  it.each(['anything', 'count=all', 'return=', 'max-affected=-1', '__proto__=x', 'constructor=y'])(
    'does not know %s',
    (preference) => {
      expect(parsePreferences(preference).unknown).toEqual([preference]);
    },
  );

  it('reads a time zone, which only the database can know', () => {
    expect(parsePreferences('timezone=America/Sao_Paulo, timezone=UTC').timeZone).toBe('America/Sao_Paulo');
    expect(parsePreferences("timezone=a'b").unknown).toEqual(["timezone=a'b"]);
  });

  it('knows how a transaction may end', () => {
    expect(parsePreferences('tx=rollback')).toMatchObject({ tx: 'rollback', unknown: [] });
    expect(parsePreferences('tx=later').unknown).toEqual(['tx=later']);
  });
});

describe('parseAccept', () => {
  const range = (type: string, more = {}) => ({
    ...{ type, stripNulls: false, planOf: undefined, explain: [] },
    ...more,
  });

  it.each([
    [undefined, [range('*/*')]],
    ['', [range('*/*')]],
    ['application/json;q=0.5, text/CSV', [range('text/csv'), range('application/json')]],
    ['image/png;q=0, text/html', [range('text/html')]],
    [
      'text/html,application/xml;q=0.9,*/*;q=0.8',
      [range('text/html'), range('application/xml'), range('*/*')],
    ],
    ['a/b;nulls=stripped', [range('a/b', { stripNulls: true })]],
    [
      'application/vnd.pgrst.plan+json; for="text/csv"; options=analyze|drop|wal',
      [range('application/vnd.pgrst.plan+json', { planOf: 'text/csv', explain: ['analyze', 'wal'] })],
    ],
  ])('reads %s, the best first', (header, expected) => {
    expect(parseAccept(header)).toEqual(expected);
  });
});

describe('ranges', () => {
  it.each([
    ['0-9', { offset: 0, limit: 10 }],
    ['items=5-5', { offset: 5, limit: 1 }],
    ['10-', { offset: 10, limit: undefined }],
    [undefined, { offset: 0, limit: undefined }],
    ['bytes=0-1,5-6', { offset: 0, limit: undefined }],
    ['-5', { offset: 0, limit: undefined }],
  ])('reads %s', (header, expected) => {
    expect(parseRange(header)).toEqual({ ok: true, value: expected });
  });

  it('refuses a range that ends before it starts', () => {
    expect(parseRange('9-0')).toMatchObject({ ok: false, failure: { status: 416, code: 'PGRST103' } });
  });

  it('keeps the rows that both ranges hold', () => {
    expect(intersectRanges({ offset: 2, limit: 10 }, { offset: 0, limit: 5 })).toEqual({
      offset: 2,
      limit: 3,
    });
    expect(intersectRanges({ offset: 9, limit: 2 }, { offset: 0, limit: 5 })).toEqual({
      offset: 9,
      limit: 0,
    });
    expect(intersectRanges({ offset: 3, limit: undefined }, { offset: 0, limit: undefined })).toEqual({
      offset: 3,
      limit: undefined,
    });
  });
});
