import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { findOwnUrl } from './find-own-url.ts';

const at = (address: string | null, port = 3000) =>
  findOwnUrl({
    address: () => (address === null ? null : ({ address, port, family: '' } satisfies AddressInfo)),
  });

it.each([
  ['127.0.0.1', 'http://127.0.0.1:3000'],
  ['0.0.0.0', 'http://127.0.0.1:3000'],
  ['192.168.1.9', 'http://192.168.1.9:3000'],
  ['::1', 'http://[::1]:3000'],
  ['::', 'http://[::1]:3000'],
  [null, undefined],
])('a server that listens on %s is reached at %s', (address, url) => {
  expect(at(address)).toBe(url);
});
