import { describe, expect, it } from 'vitest';
import {
  describeChallenge,
  describeResource,
  ENDPOINTS,
  isForMcp,
  writeScope,
} from './protected-resource.ts';

const SITE = 'https://links.test';
const [reading, writing, sharing] = ENDPOINTS;

describe('a token’s audience', () => {
  it.each([
    ['authenticated'],
    [undefined],
    [['authenticated', `${SITE}/mcp`]],
    [['authenticated', `${SITE}/mcp/`]],
    [['authenticated', `${SITE}/mcp/write`]],
    [['authenticated', `${SITE}/mcp/share`]],
    [['authenticated', 'HTTPS://LINKS.TEST']],
    [['authenticated', `${SITE}:443/`]],
  ])('is this server: %j', (audience) => {
    expect(isForMcp(audience, SITE)).toBe(true);
  });

  it.each([
    [['authenticated', 'https://outro.test/mcp']],
    [['authenticated', `${SITE}/mcp`, 'https://outro.test/mcp']],
    [['authenticated', `${SITE}/rest/v1`]],
    [['authenticated', `${SITE}/mcp/other`]],
    [['authenticated', `${SITE}/mcp?x=1`]],
    [['authenticated', 'http://links.test/mcp']],
    [['authenticated', 'https://links.test.mau.test/mcp']],
    ['urn:outro'],
    ['https://'],
  ])('is another: %j', (audience) => {
    expect(isForMcp(audience, SITE)).toBe(false);
  });
});

describe('what a program is told', () => {
  it('leads to the authorization server, and to no more than the address asks for', () => {
    expect(describeResource(reading, { siteUrl: SITE, oauthServerEnabled: true })).toMatchObject({
      resource: `${SITE}/mcp`,
      authorization_servers: [`${SITE}/auth/v1`],
      scopes_supported: ['links:read'],
    });
    expect(
      describeChallenge(writing, { siteUrl: SITE, oauthServerEnabled: true }, { error: 'invalid_token' }),
    ).toBe(
      `Bearer error="invalid_token", scope="links:read links:write", resource_metadata="${SITE}/.well-known/oauth-protected-resource/mcp/write"`,
    );
  });

  it('asks for sharing at an address of its own alone', () => {
    const scopes = [reading, writing, sharing].map(({ scope }) => scope.includes('share'));
    expect(scopes).toEqual([false, false, true]);
  });

  it('names no metadata where no program can ask', () => {
    expect(describeChallenge(reading, { siteUrl: SITE, oauthServerEnabled: false }, {})).toBe(
      'Bearer scope="links:read"',
    );
  });
});

it('a challenge names each scope once, in one order', () => {
  expect(writeScope(new Set(['share', 'links:read', 'share']))).toBe('links:read share');
});
