import { expect, it } from 'vitest';
import { NOT_THE_APP } from './service-worker-options.ts';

const isLeftToTheNetwork = (path: string) => NOT_THE_APP.some((pattern) => pattern.test(path));

it.each([
  '/api/v1/docs',
  '/api/v1/openapi.json',
  '/auth/v1/verify?token=x',
  '/functions/v1/x',
  '/',
  '/terms',
])('the worker leaves %s to the network', (path) => {
  expect(isLeftToTheNetwork(path)).toBe(true);
});

it.each(['/dashboard', '/category?id=1', '/api-de-nada', '/lixeira'])('%s is the app', (path) => {
  expect(isLeftToTheNetwork(path)).toBe(false);
});
