import { describe, expect, test } from 'vitest';
import { findReturnAddress, readReturnPlaces } from './return-addresses.ts';

const SITE = {
  siteUrl: 'https://links.exemplo.com',
  allowList: ['https://app.exemplo.com', 'https://*.teste.com/**'],
};
const LOCAL = { siteUrl: 'http://localhost:3000', allowList: [] };

describe('people come back', () => {
  test.each([
    ['https://links.exemplo.com/plans?de=menu#topo', 'https://links.exemplo.com/plans?de=menu#topo'],
    ['HTTPS://LINKS.EXEMPLO.COM:443/plans', 'https://links.exemplo.com/plans'],
    ['https://links.exemplo.com/a/../plans', 'https://links.exemplo.com/plans'],
    ['https://app.exemplo.com', 'https://app.exemplo.com/'],
    ['https://um.teste.com/qualquer/lugar', 'https://um.teste.com/qualquer/lugar'],
  ])('to %s', (wish, href) => {
    expect(findReturnAddress(SITE, wish)?.href).toBe(href);
  });

  test('to this machine by any of its names, on the same port', () => {
    for (const host of ['localhost', '127.0.0.1', '[::1]'])
      expect(findReturnAddress(LOCAL, `http://${host}:3000/plans`)?.hostname).toBe(host);
  });
});

describe('people are never led away', () => {
  test.each([
    'https://mal.exemplo/plans',
    '//mal.exemplo/plans',
    '/plans',
    '\\\\mal.exemplo',
    'https:\\\\mal.exemplo\\plans',
    'https:/\\mal.exemplo',
    'https://links.exemplo.com@mal.exemplo/',
    'https://ana@links.exemplo.com/',
    'https://ana:senha@links.exemplo.com/plans',
    'https://links.exemplo.com:8443/plans',
    'http://links.exemplo.com/plans',
    'https://links.exemplo.com.mal.exemplo/',
    'https://links.exemplo.com%2emal.exemplo/',
    'https://links.exemplo.com\u3002mal.exemplo/',
    'https://mallinks.exemplo.com/',
    'https://app.exemplo.com.mal.exemplo/',
    'https://app.exemplo.com/outra',
    'https://mal.exemplo/?https://um.teste.com/',
    'https://mal.exemplo/.teste.com/',
    'javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'blob:https://links.exemplo.com/1',
    'ftp://links.exemplo.com/',
    'links.exemplo.com',
    '',
    ' ',
    `https://links.exemplo.com/${'a'.repeat(2_000)}`,
    null,
    7,
    {},
    ['https://links.exemplo.com/plans'],
  ])('to %j', (wish) => {
    expect(findReturnAddress(SITE, wish)).toBeUndefined();
  });

  test('to another port of this machine, or to a name that only looks like it', () => {
    const tricks = [
      'http://localhost:3001/',
      'http://127.0.0.1/',
      'https://localhost:3000/',
      'http://localhost.mal.exemplo:3000/',
    ];
    for (const trick of tricks) expect(findReturnAddress(LOCAL, trick)).toBeUndefined();
    expect(findReturnAddress(SITE, 'http://localhost:3000/')).toBeUndefined();
  });
});

describe('the places of an installation', () => {
  const read = (list: string) =>
    readReturnPlaces((name) =>
      name === 'SITE_URL' ? SITE.siteUrl : name === 'REDIRECT_ALLOW_LIST' ? list : '',
    );

  test('are its own site and what is listed, blanks around and nothing between commas left out', () => {
    const places = read(' https://app.exemplo.com ,, https://*.teste.com/**');
    for (const wish of ['https://links.exemplo.com/', 'https://app.exemplo.com', 'https://um.teste.com/a'])
      expect(findReturnAddress(places, wish)).toBeDefined();
    expect(findReturnAddress(read(''), 'https://app.exemplo.com')).toBeUndefined();
    expect(findReturnAddress(read(','), '')).toBeUndefined();
  });

  test('are not known without the address of the site', () => {
    expect(() => readReturnPlaces(() => '')).toThrow('SITE_URL');
  });
});
