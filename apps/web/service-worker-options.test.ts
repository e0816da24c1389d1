import { expect, test } from 'vitest';
import { NOT_THE_APP } from './service-worker-options.ts';

const isLeftToTheNetwork = (path: string) => NOT_THE_APP.some((pattern) => pattern.test(path));

test('the worker leaves alone what is not the app’s page', () => {
  for (const path of [
    '/',
    '/?x=1',
    '/shared/a',
    '/terms',
    '/feed/abc/atom.xml',
    '/rest/v1/links',
    '/api/v1/docs',
    '/mcp',
    '/health',
  ])
    expect(isLeftToTheNetwork(path), path).toBe(true);
  for (const path of ['/dashboard', '/category/1', '/entrada', '/authors', '/apicultura', '/search?q=/api/'])
    expect(isLeftToTheNetwork(path), path).toBe(false);
});
