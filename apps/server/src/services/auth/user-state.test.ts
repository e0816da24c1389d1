import { describe, expect, it } from 'vitest';
import type { UserRow } from './stores/users.ts';
import { isBanned, isEnteredUnproven, isMereClaim } from './user-state.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const EARLIER = new Date(NOW.getTime() - 1);
const LATER = new Date(NOW.getTime() + 1);

/** As a sign-up makes it that nobody has followed. */
const user = (more: Partial<UserRow> = {}) =>
  ({
    role: 'authenticated',
    raw_app_meta_data: { provider: 'email', providers: ['email'] },
    email_confirmed_at: null,
    invited_at: null,
    last_sign_in_at: null,
    encrypted_password: '',
    banned_until: null,
    deleted_at: null,
    phone_confirmed_at: null,
    is_anonymous: false,
    identities: [{ provider: 'email' }],
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
    ['that an operator gave a role', { role: 'service_role' }, false],
    ['that an operator has shut', { banned_until: LATER }, false],
    ['whose ban is over', { banned_until: EARLIER }, true],
    ['that an operator gave notes', { raw_app_meta_data: { provider: 'email', team: 'a' } }, false],
  ])('%s is a mere claim, or is not', (_name, more, mere) => {
    expect(isMereClaim(user(more), NOW)).toBe(mere);
  });

  const byGoogle = [{ provider: 'google' }] as UserRow['identities'];
  it.each<[string, Partial<UserRow>, boolean]>([
    ['that nobody has signed in to', {}, false],
    ['that nobody has signed in to, of a provider', { identities: byGoogle }, false],
    ['that somebody has signed in to', { last_sign_in_at: EARLIER }, true],
    ['with a proven address', { last_sign_in_at: EARLIER, email_confirmed_at: EARLIER }, false],
    ['with a proven number', { last_sign_in_at: EARLIER, phone_confirmed_at: EARLIER }, false],
    ['opened anonymously', { last_sign_in_at: EARLIER, is_anonymous: true }, false],
    [
      'with a proven number and the address of a provider',
      { last_sign_in_at: EARLIER, phone_confirmed_at: EARLIER, identities: byGoogle },
      true,
    ],
  ])('%s has had somebody in it who proved nothing, or has not', (_name, more, entered) => {
    expect(isEnteredUnproven(user(more))).toBe(entered);
  });
});
