import { sendRandomRequests } from '@linkoteca/server-process/send-random-requests';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPerson } from './support/create-person.ts';
import { createShelf } from './support/create-shelf.ts';
import { required } from './support/required.ts';
import { type RunningDeployment, startDeployment } from './support/start-deployment.ts';

// A server of its own: codes and passwords guessed by the dozen make it refuse everybody from this address for a while.
let running: RunningDeployment;
beforeAll(async () => {
  running = await startDeployment();
});
afterAll(() => running.remove());

/** `npm run bench -- random` sends a hundred thousand, of another seed each time. */
const REQUESTS = 2_000;
const MOST_BYTES = 16 * 1024 * 1024;

test('whatever is asked of any service is answered, never by a failure of the server and never without end', async () => {
  const { deployment } = running;
  const people = [await createPerson(deployment), await createPerson(deployment, { plan: 'pro' })];
  const shelves = await Promise.all(people.map((person) => createShelf(person)));
  const sessions = await Promise.all(people.map(({ client }) => client.auth.getSession()));
  const run = await sendRandomRequests({
    url: deployment.url,
    known: {
      anonKey: deployment.anonKey,
      accessTokens: sessions.map(({ data }) => required(data.session).access_token),
      userIds: people.map(({ id }) => id),
      categoryIds: shelves.map(({ categoryId }) => categoryId),
    },
    seed: 20_261_122,
    count: REQUESTS,
    mostBytes: MOST_BYTES,
  });
  expect(run.bad).toEqual([]);
  // It reached what it aimed at: reads, writes, refusals of every kind.
  for (const status of [200, 201, 204, 400, 401, 403, 404, 405])
    expect(run.byStatus[status]).toBeGreaterThan(0);
  expect((await fetch(`${deployment.url}/health`)).status).toBe(200);
});
