import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser } from '@linkoteca/test-kit/create-user';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLogger } from '../kernel/create-logger.ts';
import { runOnce } from './create-job.ts';
import { declareLinkChecks, type LinkChecksDeps } from './link-checks.ts';

let database: ThrowawayDatabase;
beforeEach(async () => {
  database = await createThrowawayDatabase();
});
afterEach(() => database.drop());

const DONE = { checked: 1, failing: 0, complete: true };
const MORE = { ...DONE, complete: false };

const declare = (checkLinks: LinkChecksDeps['checkLinks']) =>
  declareLinkChecks({ db: { pool: database.callers }, logger: createLogger('silent'), checkLinks });

async function wantChecks(): Promise<void> {
  const { id } = await createUser(database.admin);
  await database.admin.query('insert into private.link_check_rounds (user_id) values ($1)', [id]);
}

test('nothing is started while nobody wants it', async () => {
  const check = vi.fn(async () => DONE);
  expect(await runOnce(declare(check))).toBe(false);
  expect(check).not.toHaveBeenCalled();
  await wantChecks();
  expect(await runOnce(declare(check))).toBe(true);
  expect(check).toHaveBeenCalledTimes(1);
});

test('it is called until nothing is due, a quarter of an hour at most, and no more once the server stops', async () => {
  await wantChecks();
  const check = vi.fn<LinkChecksDeps['checkLinks']>().mockResolvedValueOnce(MORE).mockResolvedValueOnce(DONE);
  await runOnce(declare(check));
  expect(check).toHaveBeenCalledTimes(2);
  const never = vi.fn(async () => MORE);
  await runOnce(declare(never));
  expect(never).toHaveBeenCalledTimes(15);
  let calls = 0;
  const stopped = vi.fn(async () => MORE);
  await runOnce(declare(stopped), {
    shouldStop: () => {
      calls += 1;
      return calls > 2;
    },
  });
  expect(stopped).toHaveBeenCalledTimes(2);
});

test('a failure is said to the operator, unless the server that stops has taken the function along', () => {
  const said: object[] = [];
  const logger = { info: () => undefined, warn: (facts: object) => void said.push(facts) };
  const { onFailure } = declareLinkChecks({
    db: { pool: database.callers },
    logger,
    checkLinks: async () => DONE,
  });
  const err = new Error('the function did not answer');
  onFailure(err, true);
  expect(said).toEqual([]);
  onFailure(err, false);
  expect(said).toEqual([{ err }]);
});
