import { beforeEach, expect, test } from 'vitest';
import type { SessionState } from '../shared/lib/session/session-state.ts';
import { forgetWhenSignedOut } from './forget-when-signed-out.ts';

const KEYS = ['linkoteca-draft-link-ana-any', 'linkoteca-waiting-ana', 'linkoteca-theme'];

beforeEach(() => {
  for (const key of KEYS) localStorage.setItem(key, 'x');
});

const session = (state: SessionState) => ({
  getState: () => state,
  subscribe: () => () => undefined,
  signOut: async () => null,
  stop: () => undefined,
});
const kept = () => KEYS.filter((key) => localStorage.getItem(key) !== null);

test('what somebody was typing goes when they leave on purpose', () => {
  forgetWhenSignedOut(session({ status: 'signed-out', onPurpose: true }));
  expect(kept()).toEqual(['linkoteca-theme']);
});

test('a session that ended by itself takes nothing along', () => {
  forgetWhenSignedOut(session({ status: 'signed-out', onPurpose: false }));
  expect(kept()).toEqual(KEYS);
});
