import * as v from 'valibot';
import { expect, test } from 'vitest';
import { internalPathSchema } from './internal-path.ts';

test.each(['/dashboard', '/category/1?x=1#y', '/'])('%s is a page of this app', (path) => {
  expect(v.parse(internalPathSchema, path)).toBe(path);
});

test.each([
  '//mal.exemplo',
  '/\\mal.exemplo',
  'https://mal.exemplo',
  'javascript:alert(1)',
  '',
  7,
  undefined,
])('%s is dropped', (path) => {
  expect(v.parse(internalPathSchema, path)).toBeUndefined();
});
