import { describe, expect, it } from 'vitest';
import { resolveRedirect } from './resolve-redirect.ts';

const site = 'https://linkoteca.test';
const places = {
  siteUrl: site,
  redirectAllowList: [
    'https://*.previa.test/entrar',
    'https://app.test/**',
    'https://nu.test',
    'linkoteca://**',
    'https://a.test/?x',
    'https://cerca.test/#/a',
  ],
};
const local = { siteUrl: 'http://localhost:3000', redirectAllowList: [] };

function resolve(wish: string, at = places): string {
  return resolveRedirect(at, { headers: {}, query: { redirect_to: wish } });
}

describe('a place a mail may lead to', () => {
  it.each([
    ['https://linkoteca.test/change-password?a=1#x', 'https://linkoteca.test/change-password?a=1#x'],
    ['https://LINKOTECA.test/x', 'https://linkoteca.test/x'],
    ['https://um.previa.test/entrar', 'https://um.previa.test/entrar'],
    ['https://app.test/a/b.html', 'https://app.test/a/b.html'],
    ['https://nu.test', 'https://nu.test/'],
    ['linkoteca://entrar/aqui', 'linkoteca://entrar/aqui'],
    ['https://um.previa.test/entrar#/painel', 'https://um.previa.test/entrar#/painel'],
    ['https://um.previa.test/entrar#', 'https://um.previa.test/entrar#'],
    ['https://nu.test/#/entrar', 'https://nu.test/#/entrar'],
    ['https://nu.test#@evil.test', 'https://nu.test/#@evil.test'],
    ['https://cerca.test/#/a', 'https://cerca.test/#/a'],
  ])('is the site itself or in the list: %s', (wish, expected) => {
    expect(resolve(wish)).toBe(expected);
  });

  it.each([
    'http://linkoteca.test/x',
    `https://linkoteca.test/${'x'.repeat(2048)}`,
    'https://linkoteca.test:8443/x',
    'https://evil.test',
    'https://linkoteca.test.evil.test',
    'https://linkoteca.test@evil.test/',
    'https://evil.test\\@linkoteca.test/',
    'https://user:pass@linkoteca.test/',
    '//evil.test',
    '/change-password',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://a.b.previa.test/entrar',
    'https://um.previa.test/entrar/mais',
    'https://evil\\.previa.test/entrar',
    'https://evil.test/.previa.test/entrar',
    'https://appxtest/a',
    'https://evil.test/#https://um.previa.test/entrar',
    'https://evil.test#.previa.test/entrar',
    'https://um.previa.test/outra#/entrar',
    'https://cerca.test/',
    'https://cerca.test/#/b',
    'https://127.0.0.1:9999/x',
    'http://localhost:3000/',
    'x'.repeat(10_000),
    '',
  ])('is nothing else; the site stands in without a word: %s', (wish) => {
    expect(resolve(wish)).toBe(site);
  });

  it('may be any port of the developer’s own machine, when the site is there', () => {
    expect(resolve('http://localhost:5173/entrar', local)).toBe('http://localhost:5173/entrar');
    expect(resolve('http://127.0.0.1:5173/', local)).toBe('http://127.0.0.1:5173/');
    expect(resolve('http://[::1]:5173/', local)).toBe('http://[::1]:5173/');
    expect(resolve('https://localhost:5173/', local)).toBe(local.siteUrl);
    expect(resolve('http://localhost.evil.test:3000/', local)).toBe(local.siteUrl);
    expect(resolve('http://127.0.0.1.evil.test/', local)).toBe(local.siteUrl);
  });

  it('is looked for in the header, the query and the page that asked, in this order', () => {
    const headers = { redirect_to: `${site}/h`, referer: `${site}/r` };
    const query = { redirect_to: `${site}/q` };
    expect(resolveRedirect(places, { headers, query })).toBe(`${site}/h`);
    expect(resolveRedirect(places, { headers: { referer: headers.referer }, query })).toBe(`${site}/q`);
    expect(resolveRedirect(places, { headers: { referer: headers.referer }, query: {} })).toBe(`${site}/r`);
    expect(resolveRedirect(places, { headers: { redirect_to: 'https://evil.test' }, query })).toBe(
      `${site}/q`,
    );
    expect(resolveRedirect(places, { headers, query }, `${site}/b`)).toBe(`${site}/b`);
    expect(resolveRedirect(places, { headers: {}, query: {} })).toBe(site);
  });
});
