import { describe, expect, it } from 'vitest';
import { validateRequest } from './admit-request.ts';

const SITE = 'https://links.test';

describe('a request', () => {
  it.each([
    ['/mcp', {}],
    ['/mcp?lang=pt', {}],
    ['/mcp', { origin: 'https://links.test' }],
  ])('is read: %s %j', (url, headers) => {
    expect(() => validateRequest(url, headers, SITE)).not.toThrow();
  });

  it.each([
    ['/mcp?access_token=x', {}, 'token_in_address'],
    ['/mcp?ACCESS_TOKEN=x', {}, 'token_in_address'],
    ['/mcp?a=1?token=x&token=y', {}, 'token_in_address'],
    ['/mcp?%74oken=x', {}, 'token_in_address'],
    ['/mcp?key=lk_pat_x', {}, 'token_in_address'],
    ['/mcp', { origin: 'https://links.test.mau.test' }, 'foreign_origin'],
    ['/mcp', { origin: 'http://links.test' }, 'foreign_origin'],
    ['/mcp', { origin: 'https://links.test:8443' }, 'foreign_origin'],
    ['/mcp', { origin: 'null' }, 'foreign_origin'],
  ])('is refused: %s %j', (url, headers, fault) => {
    expect(() => validateRequest(url, headers, SITE)).toThrow(expect.objectContaining({ fault }));
  });
});
