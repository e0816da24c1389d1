import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { matchesChallenge, readChallenge } from './code-challenge.ts';

const CHALLENGE = 'aA0._~-'.repeat(7);
const read = (code_challenge: string, code_challenge_method: string) =>
  readChallenge({ code_challenge, code_challenge_method });

describe('the challenge of a request', () => {
  it('is what client and method say, whatever the case of the method', () => {
    expect(read(CHALLENGE, 'S256')).toEqual({ challenge: CHALLENGE, method: 's256' });
    expect(read(CHALLENGE, 'Plain')).toEqual({ challenge: CHALLENGE, method: 'plain' });
    expect(read('', '')).toBeUndefined();
  });

  it.each([
    [CHALLENGE, '', 'PKCE flow requires code_challenge_method and code_challenge'],
    ['', 's256', 'PKCE flow requires code_challenge_method and code_challenge'],
    [CHALLENGE, 'S512', 'unsupported code_challenge method "s512"'],
    ['a'.repeat(42), 's256', expect.stringContaining('between 43 and 128 characters')],
    ['a'.repeat(129), 's256', expect.stringContaining('between 43 and 128 characters')],
    [`${'a'.repeat(43)}=`, 's256', expect.stringContaining('between 43 and 128 characters')],
  ])('%s by %j is refused', (challenge, method, message) => {
    expect(() => read(challenge, method)).toThrow(
      expect.objectContaining({ code: 'validation_failed', message }),
    );
  });
});

describe('a verifier', () => {
  const verifier = 'v'.repeat(43);
  const hashed = createHash('sha256').update(verifier).digest('base64url');

  it('answers its own challenge, by the method it was made for', () => {
    expect(matchesChallenge({ challenge: hashed, method: 's256' }, verifier)).toBe(true);
    expect(matchesChallenge({ challenge: verifier, method: 'plain' }, verifier)).toBe(true);
    expect(matchesChallenge({ challenge: hashed, method: 'plain' }, verifier)).toBe(false);
    expect(matchesChallenge({ challenge: verifier, method: 's256' }, verifier)).toBe(false);
  });

  it('of any other length or content answers none', () => {
    for (const other of ['', 'v', 'w'.repeat(43), 'v'.repeat(44)])
      for (const method of ['plain', 's256'] as const)
        expect(
          matchesChallenge({ challenge: method === 'plain' ? verifier : hashed, method }, other),
          `${method} ${other}`,
        ).toBe(false);
  });
});
