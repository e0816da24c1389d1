import { describe, expect, test } from 'vitest';
import { normalizeUrl, readHost } from './urls.ts';

describe('what people paste becomes a web address', () => {
  test.each([
    ['https://exemplo.com.br', 'https://exemplo.com.br'],
    ['  https://exemplo.com.br/a?b=c#d \n', 'https://exemplo.com.br/a?b=c#d'],
    ['HTTPS://Exemplo.com', 'HTTPS://Exemplo.com'],
    ['http://intranet/wiki', 'http://intranet/wiki'],
    ['exemplo.com.br', 'https://exemplo.com.br'],
    ['exemplo.com.br/ação?q=é', 'https://exemplo.com.br/ação?q=é'],
    ['www.exemplo.com.br:8080/x', 'https://www.exemplo.com.br:8080/x'],
    ['localhost:3000', 'https://localhost:3000'],
    ['192.168.0.1/admin', 'https://192.168.0.1/admin'],
    ['//cdn.exemplo.com/a.js', 'https://cdn.exemplo.com/a.js'],
    ['praça.com.br', 'https://praça.com.br'],
    ['https://exemplo.com/a b', 'https://exemplo.com/a%20b'],
    ['https://exem\nplo.com/quebrado', 'https://exemplo.com/quebrado'],
    ['\u200Bhttps://exemplo.com\u202E', 'https://exemplo.com'],
    ['https://exemplo.com/😀', 'https://exemplo.com/😀'],
    ['https://exemplo.com/👨\u200D👩\u200D👧', 'https://exemplo.com/👨\u200D👩\u200D👧'],
    ['https://exemplo.com/❤\uFE0F\u200D🔥', 'https://exemplo.com/❤\uFE0F\u200D🔥'],
    ['https://exemplo.com/نیم\u200Cفاصله', 'https://exemplo.com/نیم\u200Cفاصله'],
    ['https://نیم\u200Cفاصله.com/', 'https://نیم\u200Cفاصله.com/'],
    ['https://👨\u200D👩.com/👨\u200D👩', 'https://👨👩.com/👨👩'],
    ['\u200Dhttps://exem\u200Cplo.com/a\u200Db\u200C', 'https://exemplo.com/ab'],
    ['https://exemplo.com/é\u200Dé\u200D\u200Cن\u200C/', 'https://exemplo.com/ééن/'],
    ['https://[::1]:8080/', 'https://[::1]:8080/'],
  ])('%j → %j', (raw, expected) => {
    expect(normalizeUrl(raw)).toBe(expected);
  });
});

describe('what is not a web address is refused', () => {
  test.each([
    '',
    '   ',
    'palavra',
    'duas palavras',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    '\u0000javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:msgbox(1)',
    'file:///etc/passwd',
    'ftp://exemplo.com',
    'mailto:maria@exemplo.com',
    'maria@exemplo.com',
    'tel:123',
    'blob:https://exemplo.com/x',
    'http:exemplo.com',
    'http://',
    'https://?x',
    'https://exa mple.com',
    'https://exemplo.com:99999',
    '3.14.',
    '..com',
  ])('%j', (raw) => {
    expect(normalizeUrl(raw)).toBeNull();
  });
});

test('the host is shown without www', () => {
  expect(readHost('https://www.exemplo.com.br/a')).toBe('exemplo.com.br');
  expect(readHost('https://exemplo.com:8080/a')).toBe('exemplo.com:8080');
  expect(readHost('não é')).toBe('');
});
