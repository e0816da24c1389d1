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
  'http://10.1.2.3:8080/painel',
  'http://172.16.0.1',
  'http://2130706433/',
  'http://8.8.8.8/',
  'http://[fd00::1]/',
  'http://[::ffff:10.0.0.1]/',
  'http://app.localhost:5173',
  'http://roteador.home.arpa',
  'http://abc.onion/',
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
