import { expect, test } from 'vitest';
import { isOperator, readOperatorKeys } from './operator-keys.ts';

const SETTINGS: Record<string, string> = {
  SUPABASE_SERVICE_ROLE_KEY: 'eyJ.legacy.key',
  SUPABASE_SECRET_KEYS: '{"default":"sb_secret_one","cron":"sb_secret_two"}',
};
const keys = readOperatorKeys((name) => SETTINGS[name] ?? '');
const forged = `h.${btoa('{"role":"service_role"}')}.s`;

test.each<[what: string, headers: Record<string, string>, expected: boolean]>([
  ['the service key', { authorization: 'Bearer eyJ.legacy.key' }, true],
  ['a secret key', { authorization: 'Bearer sb_secret_two' }, true],
  ['a secret key beside a token', { apikey: 'sb_secret_one', authorization: `Bearer ${forged}` }, true],
  ['nothing', {}, false],
  ['an empty key', { apikey: '', authorization: 'Bearer ' }, false],
  ['another secret key', { apikey: 'sb_secret_three' }, false],
  ['a key and more', { apikey: 'sb_secret_one ,x' }, false],
  ['a token that says so itself', { authorization: `Bearer ${forged}` }, false],
])('who presents %s: %o', async (_what, headers, expected) => {
  expect(await isOperator(new Headers(headers), keys)).toBe(expected);
});

test('without any key nobody is the operator', async () => {
  expect(
    await isOperator(
      new Headers(),
      readOperatorKeys(() => ''),
    ),
  ).toBe(false);
});
