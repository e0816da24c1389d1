import { expect, test } from 'vitest';
import { describeDevice } from './device-messages.ts';
import { describePlace, readUserAgent } from './devices.ts';

test.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36',
    'Chrome no Windows',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/130.0 Safari/537.36 Edg/130.0',
    'Edge no Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile Safari/604.1',
    'Safari no iPhone',
  ],
  [
    'Mozilla/5.0 (Linux; Android 14; SM-S911B) AppleWebKit/537.36 SamsungBrowser/26.0 Chrome/122.0 Mobile Safari/537.36',
    'Samsung Internet no Android',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0', 'Firefox no Linux'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15',
    'Safari no macOS',
  ],
  ['curl/8.5', 'Dispositivo desconhecido'],
  ['', 'Dispositivo desconhecido'],
  [null, 'Dispositivo desconhecido'],
])('%s is %s', (userAgent, words) => {
  const { browser, system } = readUserAgent(userAgent);
  expect(describeDevice(browser, system)).toBe(words);
});

test.each([
  ['203.0.113.0/24', 'Rede 203.0.113.…'],
  ['2001:db8:1::/48', 'Rede 2001:db8:1:…'],
  ['192.168.0.0/24', 'Rede local'],
  ['127.0.0.0/24', 'Rede local'],
  ['::/48', 'Rede local'],
  ['172.32.0.0/24', 'Rede 172.32.0.…'],
  [null, 'Local desconhecido'],
])('the network %s is %s', (network, words) => expect(describePlace(network)).toBe(words));
