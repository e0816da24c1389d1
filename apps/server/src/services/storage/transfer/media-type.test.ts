import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import {
  isMediaTypeAllowed,
  parseMediaType,
  readAddress,
  readQuery,
  requireMediaType,
  toEssence,
} from './media-type.ts';

describe('a media type', () => {
  it.each([
    ['image/png', 'image/png'],
    ['IMAGE/Png; x=1', 'image/png'],
    ['text/plain; charset=UTF-8', 'text/plain; charset=utf-8'],
    ['text/plain; charset="a b"', 'text/plain'],
    ['text/plain; charset=""', 'text/plain'],
    [`text/plain; charset=${'a'.repeat(41)}`, 'text/plain'],
    ['image/png; charset=utf-8', 'image/png'],
    [`a/${'b'.repeat(127)}`, `a/${'b'.repeat(127)}`],
    [`a/${'b'.repeat(128)}`, undefined],
    ['texto', undefined],
    ['*/*', undefined],
    ['', undefined],
    [undefined, undefined],
    [7, undefined],
    [['image/png'], undefined],
  ])('given as %j is %j', (given, parsed) => {
    expect(parseMediaType(given)).toBe(parsed);
  });

  it('that nobody names is that of unknown bytes, and one that is none is refused, a piece of it at most', () => {
    for (const given of [undefined, '', '  '])
      expect(requireMediaType(given)).toBe('application/octet-stream');
    expect(requireMediaType(' image/png ')).toBe('image/png');
    expect(() => requireMediaType(`  ${'x'.repeat(300)}`)).toThrow(
      expect.objectContaining({
        code: 'InvalidMimeType',
        message: `mime type ${'x'.repeat(200)} is not supported`,
      }),
    );
  });

  it('stands before its charset', () => {
    expect([toEssence('text/plain; charset=utf-8'), toEssence('a/b')]).toEqual(['text/plain', 'a/b']);
  });
});

describe('a bucket', () => {
  it.each([
    ['image/png', null, true],
    ['image/png', [], true],
    ['image/png', ['text/plain', 'image/png'], true],
    ['image/png', [' IMAGE/PNG '], true],
    ['image/png', ['image/*'], true],
    ['image/png', ['*/*'], true],
    ['text/plain; charset=utf-8', ['text/plain'], true],
    ['text/plain; charset=utf-8', ['text/plain;charset=UTF-8'], true],
    ['text/plain', ['text/csv', 'Text/Plain ; charset=utf-8'], true],
    ['image/png', ['image/jpeg', 'text/*'], false],
    ['image/png', ['image'], false],
    ['imagem/png', ['image/*'], false],
  ])('to %s with the list %j says %s', (type, allowed, answer) => {
    expect(isMediaTypeAllowed(type, allowed)).toBe(answer);
  });
});

describe('a request', () => {
  const request = (parts: object) => parts as FastifyRequest;

  it('names its file by its path, and none without one', () => {
    expect(readAddress(request({ params: { bucket: 'b', '*': 'a/c' } }))).toEqual({
      bucket: 'b',
      name: 'a/c',
    });
    expect(() => readAddress(request({ params: { '*': 'a' } }))).toThrow(
      expect.objectContaining({ code: 'InvalidBucketName' }),
    );
    expect(() => readAddress(request({ params: { bucket: 'b' } }))).toThrow(
      expect.objectContaining({ code: 'InvalidKey' }),
    );
  });

  it('says a parameter once; the first one counts', () => {
    const query = { once: 'a', twice: ['b', 'c'], empty: '' };
    expect(['once', 'twice', 'empty', 'never'].map((name) => readQuery(request({ query }), name))).toEqual([
      'a',
      'b',
      '',
      undefined,
    ]);
  });
});
