import { expect, test } from 'vitest';
import { formatBytes } from './format-bytes.ts';

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [1023, '1.023 bytes'],
  [1024, '1 KB'],
  [1536, '1,5 KB'],
  [1024 * 1024 - 1, '1 MB'],
  [100 * 1024 * 1024, '100 MB'],
  [1000 * 1024 * 1024, '1.000 MB'],
  [1.25 * 1024 ** 3, '1,3 GB'],
  [5000 * 1024 ** 4, '5.000 TB'],
  [-1, ''],
  [Number.NaN, ''],
])('%d bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
