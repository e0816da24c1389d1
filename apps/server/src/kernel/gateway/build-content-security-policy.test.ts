import { expect, it } from 'vitest';
import { buildContentSecurityPolicy } from './build-content-security-policy.ts';

const page = { html: '<script src="/app.js"></script>', supabaseUrl: 'https://links.exemplo' };

it('allows no other site to run or to be framed where no captcha is configured', () => {
  const policy = buildContentSecurityPolicy(page);
  expect(policy['script-src']).toEqual(["'self'"]);
  expect(policy['frame-src']).toEqual(["'none'"]);
  expect(JSON.stringify(policy)).not.toMatch(/hcaptcha|cloudflare/);
});

it.each([
  ['turnstile', 'https://challenges.cloudflare.com', "'self'"],
  ['hcaptcha', 'https://*.hcaptcha.com', 'https://*.hcaptcha.com'],
] as const)('lets %s run in its frame, and nobody else', (captcha, host, lastStyle) => {
  const policy = buildContentSecurityPolicy({ ...page, captcha });
  expect(policy['script-src']?.at(-1)).toBe(host);
  expect(policy['frame-src']?.at(-1)).toBe(host);
  expect(policy['frame-src']).not.toContain("'none'");
  expect(policy['style-src']?.at(-1)).toBe(lastStyle);
  expect(policy['default-src']).toEqual(["'self'"]);
});
