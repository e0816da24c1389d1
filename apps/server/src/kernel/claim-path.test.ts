import { describe, expect, it } from 'vitest';
import { parseClaimPath, readClaim } from './claim-path.ts';

const CLAIMS = {
  role: 'anon',
  'https://a.br/roles': [{ value: 'first' }, { value: 'second' }],
  realm: { roles: ['web_user', 'app_author', 'other'] },
};

describe('a path to a claim', () => {
  it.each([
    ['.role', 'anon'],
    ['."https://a.br/roles"[1].value', 'second'],
    ['.realm.roles[2]', 'other'],
    ['.realm.roles[?(@ == "other")]', 'other'],
    ['.realm.roles[?(@ != "web_user")]', 'app_author'],
    ['.realm.roles[?(@ ^== "app_")]', 'app_author'],
    ['.realm.roles[?(@ ==^ "_author")]', 'app_author'],
    ['.realm.roles[?(@ *== "_us")]', 'web_user'],
    ['.realm.roles[9]', undefined],
    ['.realm.toString', undefined],
    ['.role[0]', undefined],
    ['.realm[?(@ == "x")]', undefined],
  ])('%s', (text, expected) => {
    expect(readClaim(CLAIMS, parseClaimPath(text) ?? [])).toBe(expected);
  });

  it.each(['', 'role', '.', '..role', '.a b', '[0]', '.role[x]', '.role[?(@ = "a")]', '.role.'])(
    'is none: %j',
    (text) => {
      expect(parseClaimPath(text)).toBeUndefined();
    },
  );
});
