import { describe, expect, it } from 'vitest';
import {
  API_KEY_KINDS,
  chooseApiKeys,
  claimsToBeApiKey,
  createApiKeyReader,
  deriveApiKey,
  generateApiKey,
  isApiKey,
  isFromBrowser,
} from './api-keys.ts';

const SECRET = 'a-secret-of-enough-characters-for-hs256';
const OTHER = 'another-secret-of-enough-characters-here';

describe.each(API_KEY_KINDS)('a %s key', (kind) => {
  it('has the form of the platform’s', () => {
    const made = generateApiKey(kind);
    expect(made).toMatch(new RegExp(`^sb_${kind}_[A-Za-z0-9_-]{22}_[A-Za-z0-9_-]{8}$`));
    expect(isApiKey(made, kind)).toBe(true);
    expect(claimsToBeApiKey(made)).toBe(true);
    expect(generateApiKey(kind)).not.toBe(made);
  });

  it('follows from a secret: the same for the same, another for another', () => {
    expect(deriveApiKey(kind, SECRET)).toBe(deriveApiKey(kind, SECRET));
    expect(deriveApiKey(kind, SECRET)).not.toBe(deriveApiKey(kind, OTHER));
    expect(isApiKey(deriveApiKey(kind, SECRET), kind)).toBe(true);
  });
});

it('a secret key tells nothing of the publishable one of the same secret', () => {
  const body = (key: string) => key.replace(/^sb_[a-z]+_/, '');
  expect(body(deriveApiKey('secret', SECRET))).not.toBe(body(deriveApiKey('publishable', SECRET)));
});

it('a key of one kind has not the form of the other', () => {
  expect(isApiKey(generateApiKey('secret'), 'publishable')).toBe(false);
  expect(isApiKey('sb_secret_short', 'secret')).toBe(false);
  expect(isApiKey(`${generateApiKey('secret')} `, 'secret')).toBe(false);
});

describe('the keys of an installation', () => {
  const keys = {
    publishable: [generateApiKey('publishable')],
    secret: [generateApiKey('secret'), generateApiKey('secret')],
  };
  const read = createApiKeyReader(keys);
  const [publishable = ''] = keys.publishable;
  const [first = '', second = ''] = keys.secret;

  it('are told apart by kind, each of several', () => {
    expect([publishable, first, second].map(read)).toEqual(['publishable', 'secret', 'secret']);
  });

  it.each([
    '',
    'sb_secret_',
    generateApiKey('secret'),
    first.slice(0, -1),
    `${first}x`,
    first.toUpperCase(),
    first.replace('secret', 'publishable'),
  ])('are no other text: %j', (text) => {
    expect(read(text)).toBeUndefined();
  });
});

it.each([
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36', true],
  ['node', false],
  ['curl/8.5.0', false],
  ['Deno/2.9.6', false],
  [undefined, false],
])('a browser names itself: %s', (agent, is) => {
  expect(isFromBrowser({ 'user-agent': agent })).toBe(is);
});

it('the operator’s own take the place of those of their kind alone', () => {
  const own = generateApiKey('secret');
  expect(chooseApiKeys(undefined, [SECRET, OTHER])).toEqual({
    publishable: [SECRET, OTHER].map((secret) => deriveApiKey('publishable', secret)),
    secret: [SECRET, OTHER].map((secret) => deriveApiKey('secret', secret)),
  });
  expect(chooseApiKeys({ publishable: [], secret: [own] }, [SECRET])).toEqual({
    publishable: [deriveApiKey('publishable', SECRET)],
    secret: [own],
  });
});
