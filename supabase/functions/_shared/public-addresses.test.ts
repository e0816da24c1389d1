import { describe, expect, test } from 'vitest';
import { findUrlFault } from './public-addresses.ts';

const judge = (address: string) => findUrlFault(new URL(address));

describe('public addresses have no fault', () => {
  test.each([
    'https://exemplo.com.br',
    'http://exemplo.com.br:443/a',
    'https://exemplo.com.br:80',
    'https://exemplo.com.br.',
    'https://praça.com.br',
    'https://1.1.1.1/dns',
    'https://[2606:4700:4700::1111]',
    'https://localhost.exemplo.com.br',
    'https://internal.exemplo.com',
    'https://10.0.0.1.exemplo.com',
  ])('%s', (address) => {
    expect(judge(address)).toBeUndefined();
  });
});

describe('a private address is seen through every disguise', () => {
  test.each([
    'http://127.0.0.1',
    'http://127.1',
    'http://2130706433',
    'http://0x7f000001',
    'http://0x7f.1',
    'http://017700000001',
    'http://0177.0.0.1',
    'http://127.0.0.1.',
    'http://0',
    'http://%31%32%37.0.0.1',
    'http://１２７．０．０．１',
    'http://127。0。0。1',
    'http://①②⑦.0.0.1',
    'hTtP://127.0.0.1',
    'http:\\\\127.0.0.1',
    'http://127.0\t.0\n.1',
    'http://169.254.169.254/latest/meta-data/',
    'http://2852039166/latest/meta-data/',
    'http://10.1.2.3',
    'http://192.168.0.1',
    'http://100.100.100.200',
    'http://[::1]',
    'http://[::]',
    'http://[::ffff:127.0.0.1]',
    'http://[::ffff:7f00:1]',
    'http://[::127.0.0.1]',
    'http://[64:ff9b::127.0.0.1]',
    'http://[2002:7f00:1::]',
    'http://[fe80::1]',
    'http://[fd00:ec2::254]',
    'http://localhost',
    'http://LOCALHOST',
    'http://localhost.',
    'http://localhost..',
    'http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
    'http://app.localhost',
    'http://metadata',
    'http://metadata.google.internal',
    'http://metadata.google.internal.',
    'http://impressora.local',
    'http://roteador.lan',
    'http://nas.home.arpa',
    'http://home.arpa',
    'http://wiki.corp',
    'http://facebookcorewwwi.onion',
  ])('%j', (address) => {
    expect(judge(address)).toBe('private');
  });
});

describe('what else is refused', () => {
  test.each([
    ['ftp://exemplo.com', 'not_web'],
    ['file:///etc/passwd', 'not_web'],
    ['gopher://exemplo.com:70/', 'not_web'],
    ['javascript:alert(1)', 'not_web'],
    ['blob:https://exemplo.com/x', 'not_web'],
    ['https://maria@exemplo.com', 'credentials'],
    ['https://maria:segredo@exemplo.com', 'credentials'],
    ['https://exemplo.com@127.0.0.1', 'credentials'],
    ['http://exemplo.com:22', 'port'],
    ['http://exemplo.com:5432', 'port'],
    ['http://exemplo.com:8080', 'port'],
  ])('%s: %s', (address, fault) => {
    expect(judge(address)).toBe(fault);
  });
});
