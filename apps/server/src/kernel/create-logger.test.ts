import { describe, expect, it } from 'vitest';
import { createLogger, redactUrl } from './create-logger.ts';

function logOf(write: (logger: ReturnType<typeof createLogger>) => void): string {
  const lines: string[] = [];
  write(createLogger('debug', { write: (line) => lines.push(line) }));
  return lines.join('');
}

describe('the log', () => {
  it('is one JSON object a line, with a level and a time that people can read', () => {
    const line = JSON.parse(logOf((logger) => logger.info({ service: 'rest' }, 'request'))) as Record<
      string,
      string
    >;
    expect(line).toMatchObject({ level: 'info', service: 'rest', msg: 'request' });
    expect(line['time']).toMatch(/^\d{4}-\d\d-\d\dT/);
  });

  it.each([
    ['at the top', { password: 'segredo' }],
    ['one level down', { body: { password: 'segredo' } }],
    [
      'in headers',
      { req: { headers: { authorization: 'Bearer segredo', apikey: 'segredo', cookie: 'segredo' } } },
    ],
    ['in tokens', { session: { access_token: 'segredo', refresh_token: 'segredo' } }],
    ['in a query', { url: '/auth/v1/verify?token=segredo&type=signup' }],
  ])('holds no secret %s', (_where, value) => {
    const line = logOf((logger) => logger.info(value, 'something'));
    expect(line).toContain('[redacted]');
    expect(line).not.toContain('segredo');
  });

  it('keeps of an error what explains it and not the row it met', () => {
    const error = Object.assign(
      new Error('duplicate key value violates unique constraint "users_email_key"'),
      {
        code: '23505',
        detail: 'Key (email)=(segredo@example.com) already exists.',
        where: 'segredo',
        cause: Object.assign(new Error('inner'), { detail: 'segredo' }),
      },
    );
    const line = logOf((logger) => logger.error({ err: error }, 'request failed'));
    expect(line).toContain('23505');
    expect(line).toContain('users_email_key');
    expect(line).toContain('inner');
    expect(line).not.toContain('segredo');
  });
});

describe('an address in the log', () => {
  it.each([
    ['/rest/v1/links', '/rest/v1/links'],
    [
      '/rest/v1/links?select=*&order=created_at.desc&limit=50',
      '/rest/v1/links?select=*&order=created_at.desc&limit=50',
    ],
    ['/rest/v1/links?category_id=eq.42', '/rest/v1/links?category_id=eq.[redacted]'],
    ['/rest/v1/shared_with?email=eq.ana@example.com', '/rest/v1/shared_with?email=[redacted]'],
    ['/rest/v1/links?title=not.ilike.*segredo*', '/rest/v1/links?title=not.ilike.[redacted]'],
    ['/rest/v1/links?or=(title.eq.a,url.eq.b)', '/rest/v1/links?or=[redacted]'],
    ['/auth/v1/verify?token=abc&type=signup', '/auth/v1/verify?token=[redacted]&type=signup'],
    ['/realtime/v1/websocket?apikey=abc&vsn=1.0.0', '/realtime/v1/websocket?apikey=[redacted]&vsn=1.0.0'],
    [
      '/payment-emulator/portal/bps_1/plan?price=a',
      '/payment-emulator/portal/[redacted]/plan?price=[redacted]',
    ],
    ['/feed/abcdefghijklmnopqrstuvwx/atom.xml', '/feed/[redacted]/atom.xml'],
    ['/dashboard?code=abc', '/dashboard?code=[redacted]'],
    ['/?', '/?'],
    ['/x?a&b=&=c', '/x?a&b=[redacted]&=[redacted]'],
    ['/x?%zz=%', '/x?%zz=[redacted]'],
  ])('%s becomes %s', (url, expected) => {
    expect(redactUrl(url)).toBe(expected);
  });
});
