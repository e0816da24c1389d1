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

  it('knows how a transaction may end', () => {
    expect(parsePreferences('tx=rollback')).toMatchObject({ tx: 'rollback', unknown: [] });
    expect(parsePreferences('tx=later').unknown).toEqual(['tx=later']);
  });
});

describe('parseAccept', () => {
  it.each([
    [undefined, { kind: 'json', single: false, stripNulls: false }],
    ['*/*', { kind: 'json', single: false, stripNulls: false }],
    [
      'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
      { kind: 'json', single: false, stripNulls: false },
    ],
    ['application/vnd.pgrst.object+json', { kind: 'json', single: true, stripNulls: false }],
    ['application/vnd.pgrst.object+json;nulls=stripped', { kind: 'json', single: true, stripNulls: true }],
    ['application/vnd.pgrst.array+json;nulls=stripped', { kind: 'json', single: false, stripNulls: true }],
    ['text/csv', { kind: 'csv' }],
    ['application/json;q=0.5, text/csv', { kind: 'csv' }],
  ])('understands %s', (header, expected) => {
    expect(parseAccept(header)).toEqual({ ok: true, value: expected });
  });

  it.each(['image/png', 'application/vnd.pgrst.plan+json', 'application/geo+json'])(
    'refuses %s',
    (header) => {
      expect(parseAccept(header)).toMatchObject({ ok: false, failure: { status: 406, code: 'PGRST107' } });
    },
  );
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
