import { expect, test } from 'vitest';
import { faviconSources } from './favicon-sources.ts';

test('a public site has one source and three fallbacks, each knowing the host only', () => {
  const sources = faviconSources('https://Exemplo.com.br:8080/segredo?token=abc#x');
  expect(sources).toHaveLength(4);
  for (const source of sources) {
    expect(source).toContain('exemplo.com.br');
    expect(source).not.toMatch(/segredo|token|8080/);
  }
});

test.each([
  'http://intranet/wiki',
  'http://localhost:3000',
  'http://192.168.0.10/',
  'http://[::1]/',
  'http://0x7f.1/',
  'http://nas.local/',
  'http://nas.LOCAL./',
  'http://jira.empresa.internal',
  'ftp://exemplo.com/',
  'javascript:alert(1)',
  'não é um endereço',
])('%s never leaves the browser', (url) => {
  expect(faviconSources(url)).toEqual([]);
});
