import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFakeAuth, fakeSession } from '../../../shared/test/create-fake-auth.ts';
import { createFakeDatabase } from '../../../shared/test/create-fake-database.ts';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { tellReopening } from './tell-reopening.ts';

/** By the clock of the service: the device's own is another. */
const MADE_AT = Date.parse('2027-03-01T12:00:00Z') / 1000;
beforeEach(() => void vi.spyOn(toast, 'success').mockImplementation(() => ''));
afterEach(() => vi.restoreAllMocks());

async function tell(signedInAt: string | undefined, reason: string | null) {
  const asked: string[] = [];
  const session = { ...fakeSession(), access_token: `x.${btoa(JSON.stringify({ iat: MADE_AT }))}.y` };
  if (signedInAt !== undefined) session.user.last_sign_in_at = signedInAt;
  const database = createFakeDatabase(({ path }) => {
    asked.push(path);
    return { body: reason };
  });
  await tellReopening({ auth: createFakeAuth(session).client, database });
  return { asked, told: vi.mocked(toast.success).mock.calls.map(([title]) => title) };
}

test.each([
  ['deletion', ['Sua conta foi restaurada']],
  ['inactivity', ['Sua conta foi reativada']],
  [null, []],
])('who has just signed in to an account closed for %s hears: %j', async (reason, told) => {
  expect(await tell('2027-03-01T11:59:50Z', reason)).toEqual({ asked: ['rpc/take_reopening_notice'], told });
});

test.each(['2027-03-01T09:00:00Z', undefined])(
  'who signed in at %s is not asked about',
  async (signedInAt) => {
    expect(await tell(signedInAt, 'deletion')).toEqual({ asked: [], told: [] });
  },
);
