import { describe, expect, it } from 'vitest';
import type { UserRow } from './stores/users.ts';
import { isBanned, isMereClaim } from './user-state.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const EARLIER = new Date(NOW.getTime() - 1);
const LATER = new Date(NOW.getTime() + 1);

/** As a sign-up makes it that nobody has followed. */
const user = (more: Partial<UserRow> = {}) =>
  ({
    email_confirmed_at: null,
    invited_at: null,
    last_sign_in_at: null,
    encrypted_password: '',
    banned_until: null,
    deleted_at: null,
    ...more,
  }) as UserRow;

describe('an account', () => {
  it.each<[string, Partial<UserRow>, boolean]>([
    ['as it is made', {}, false],
    ['whose ban is over', { banned_until: EARLIER }, false],
    ['whose ban ends now', { banned_until: NOW }, false],
    ['whose ban is not over', { banned_until: LATER }, true],
    ['that was deleted softly', { deleted_at: EARLIER }, true],
    ['that was deleted softly after a ban', { deleted_at: EARLIER, banned_until: EARLIER }, true],
  ])('%s is shut or open', (_name, more, shut) => {
    expect(isBanned(user(more), NOW)).toBe(shut);
  });

  it.each<[string, Partial<UserRow>, boolean]>([
    ['that nobody confirmed', {}, true],
    ['without even an empty password', { encrypted_password: null }, true],
    ['that is confirmed', { email_confirmed_at: EARLIER }, false],
    ['that an operator invited', { invited_at: EARLIER }, false],
    ['that somebody has signed in to', { last_sign_in_at: EARLIER }, false],
    ['that an operator gave a password', { encrypted_password: '$argon2id$' }, false],
  ])('%s is a mere claim, or is not', (_name, more, mere) => {
    expect(isMereClaim(user(more))).toBe(mere);
  });
});
