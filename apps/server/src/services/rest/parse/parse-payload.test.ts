import { describe, expect, it } from 'vitest';
import { parsePayload } from './parse-payload.ts';

const parse = (body: string | Buffer, type?: string, columns?: readonly string[], isCall = false) =>
  parsePayload(type, Buffer.from(body), columns, isCall);

describe('parsePayload', () => {
  it.each([
    ['{"a":1,"b":null}', ['a', 'b'], false],
    ['[{"a":1},{"a":2}]', ['a'], true],
    ['[{"a":1,"b":2},{"b":1,"a":2}]', ['a', 'b'], true],
    ['[]', [], true],
    ['{}', [], false],
    ['{"__proto__":1}', ['__proto__'], false],
  ])('reads %s', (text, keys, isArray) => {
    expect(parse(text, 'application/json; charset=utf-8')).toEqual({
      ok: true,
      value: { kind: 'json', text, isArray, keys },
    });
  });

  it('does not look into the body when the columns are named', () => {
    const text = ' [{"a":1},{"b":2}]';
    expect(parse(text, undefined, ['a', 'b'])).toEqual({
      ok: true,
      value: { kind: 'json', text, isArray: true, keys: ['a', 'b'] },
    });
  });

  it.each([
    ['', 'Empty or invalid json'],
    ['{', 'Empty or invalid json'],
    ['5', 'Empty or invalid json'],
    ['null', 'Empty or invalid json'],
    ['{"a":"\0"}', 'Empty or invalid json'],
    ['[1]', 'All object keys must match'],
    ['[{"a":1},{"b":1}]', 'All object keys must match'],
    ['[{"a":1},{"a":1,"b":1}]', 'All object keys must match'],
    ['[{"a":1},[]]', 'All object keys must match'],
  ])('refuses %j', (text, message) => {
    expect(parse(text)).toMatchObject({ ok: false, failure: { status: 400, code: 'PGRST102', message } });
  });

  it('refuses bytes that are no UTF-8, and types it cannot read', () => {
    expect(parse(Buffer.from([0x7b, 0xff, 0x7d]))).toMatchObject({ ok: false, failure: { status: 400 } });
    expect(parse('x', 'image/png')).toMatchObject({
      ok: false,
      failure: { code: 'PGRST102', message: 'Content-Type not acceptable: image/png' },
    });
  });

  it('reads a very deep body without running out of stack', () => {
    const deep = `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    expect(parse(deep).ok).toBe(true);
  });

  it('makes objects of CSV', () => {
    expect(parse('a,b\r\n1,"x, ""y""\nz"\r\nNULL,\n', 'text/csv')).toEqual({
      ok: true,
      value: {
        kind: 'json',
        text: '[{"a":"1","b":"x, \\"y\\"\\nz"},{"a":null,"b":""}]',
        isArray: true,
        keys: ['a', 'b'],
        fromCsv: true,
      },
    });
    expect(parse('a,b\n1\n', 'text/csv')).toMatchObject({ ok: false, failure: { code: 'PGRST102' } });
    expect(parse(`a\n"${'x'.repeat(500_000)}`, 'text/csv')).toMatchObject({ ok: false });
  });

  it.each([
    ['a,b\n\n1,2\n\n\n3,4\n\n', '[{"a":"1","b":"2"},{"a":"3","b":"4"}]'],
    ['a\r\n1\r\n\r\n2\r\n\r\n', '[{"a":"1"},{"a":"2"}]'],
    ['a\n""\n1', '[{"a":"1"}]'],
    ['a,b\n,\n', '[{"a":"","b":""}]'],
  ])('leaves out the empty lines of CSV as PostgREST does: %j', (csv, text) => {
    expect(parse(csv, 'text/csv')).toMatchObject({ ok: true, value: { text } });
  });

  it('takes any JSON, text or bytes as the one argument of a function', () => {
    expect(parse('[1,2]', undefined, undefined, true)).toMatchObject({ ok: true, value: { keys: [] } });
    expect(parse('', undefined, undefined, true)).toMatchObject({ ok: true, value: { text: '{}' } });
    expect(parse('oi', 'text/plain', undefined, true)).toEqual({
      ok: true,
      value: { kind: 'raw', type: 'text', body: 'oi' },
    });
    expect(parse('a=1&b=x+y', 'application/x-www-form-urlencoded', undefined, true)).toEqual({
      ok: true,
      value: {
        kind: 'form',
        pairs: [
          ['a', '1'],
          ['b', 'x y'],
        ],
      },
    });
  });
});
