import { describe, expect, it } from 'vitest';
import { buildGuardHeaders, isHeaderText, readCacheControl } from './build-file-headers.ts';

const disposition = (download: string | undefined, mimetype = 'image/png') =>
  buildGuardHeaders({ mimetype }, download)['content-disposition'];

describe('the headers of a file', () => {
  it('repeat printable text of 200 characters at most, and nothing else', () => {
    for (const text of ['a', ' ~', 'x'.repeat(200)]) expect(isHeaderText(text)).toBe(true);
    for (const text of ['', 'x'.repeat(201), 'a\r\nb', 'é', '\x7f', 7, null, undefined])
      expect(isHeaderText(text)).toBe(false);
  });

  it('say how long it may be kept: not at all, where nobody said it', () => {
    expect(readCacheControl({ cacheControl: 'max-age=9' })).toBe('max-age=9');
    expect([readCacheControl({}), readCacheControl({ cacheControl: 'a\nb' })]).toEqual([
      'no-cache',
      'no-cache',
    ]);
  });

  it('name a type that is shown, and save what is not', () => {
    expect(buildGuardHeaders({ mimetype: 'image/png' }, undefined)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox; '),
    });
    expect(disposition(undefined)).toBeUndefined();
    for (const mimetype of ['text/html', 'nenhum', undefined])
      expect(buildGuardHeaders(mimetype === undefined ? {} : { mimetype }, undefined)).toMatchObject({
        'content-type': 'application/octet-stream',
        'content-disposition': 'attachment',
      });
  });

  it('say how the bytes are packed only in words that a header can hold', () => {
    expect(buildGuardHeaders({ contentEncoding: 'gzip' }, undefined)['content-encoding']).toBe('gzip');
    expect(buildGuardHeaders({ contentEncoding: 'gzip\r\nx: y' }, undefined)).not.toHaveProperty(
      'content-encoding',
    );
    expect(buildGuardHeaders({}, undefined)).not.toHaveProperty('content-encoding');
  });

  it('save under the name that was asked for, without what nobody sees, cut at 255 characters', () => {
    expect(disposition('')).toBe('attachment');
    expect(disposition('\u202e\u0000')).toBe('attachment');
    expect(disposition('a.txt')).toBe('attachment; filename=a.txt');
    expect(disposition('a.txt', 'text/html')).toBe('attachment; filename=a.txt');
    expect(disposition('x'.repeat(300))).toBe(`attachment; filename=${'x'.repeat(255)}`);
    // Half of a pair, whether it came so or was cut so.
    for (const half of ['a\ud83e', `${'x'.repeat(254)}🦜`]) expect(() => disposition(half)).not.toThrow();
  });
});
