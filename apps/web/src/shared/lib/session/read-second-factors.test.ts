import { expect, test } from 'vitest';
import { fakeFactor, fakeSession, withLevel } from '../../test/create-fake-auth.ts';
import { readClaims } from './read-claims.ts';
import { listPendingFactors } from './read-second-factors.ts';

test('a session of the first level has to prove a factor that counts', () => {
  const begun = { ...fakeFactor, id: 'b', status: 'unverified' as const };
  const session = withLevel('aal1', [fakeFactor, begun]);
  expect(listPendingFactors(session)).toEqual([{ id: fakeFactor.id, type: 'totp', name: 'Celular' }]);
});

test.each([
  ['of the second level', withLevel('aal2', [fakeFactor])],
  ['of somebody who has none', withLevel('aal1', [])],
  [
    'of somebody who has not finished adding one',
    withLevel('aal1', [{ ...fakeFactor, status: 'unverified' }]),
  ],
  ['whose token says nothing', fakeSession()],
])('one %s has nothing to prove', (_what, session) => {
  expect(listPendingFactors(session)).toEqual([]);
});

test.each([undefined, '', 'a.b.c', 'a.bnVsbA.c', `a.${btoa('7')}.c`])(
  '%s is no token and says nothing',
  (token) => {
    expect(readClaims(token)).toEqual({});
  },
);
