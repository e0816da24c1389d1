import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { Registry } from 'prom-client';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createLogger } from '../../kernel/create-logger.ts';
import { createCertificate } from '../../services/functions/test-support/create-certificate.ts';
import { createJob, runOnce } from '../create-job.ts';
import { listenForWork } from '../listen-for-work.ts';
import { createMessagePost, type PostMessage } from './post-message.ts';
import { RECEIVER, type Receivers, startReceivers } from './test-support/start-receivers.ts';
import { declareWebhookPurge, declareWebhooks } from './webhook-job.ts';

let database: ThrowawayDatabase;
let receivers: Receivers;
let owner: TestUser;
let secret: string;
beforeAll(async () => {
  database = await createThrowawayDatabase();
  receivers = await startReceivers();
});
afterAll(async () => {
  await receivers.stop();
  await database.drop();
});
beforeEach(async () => {
  receivers.received.length = 0;
  receivers.answer((response) => response.writeHead(204).end());
  await database.admin.query('delete from auth.users');
  owner = await createUser(database.admin, { plan: 'pro' });
  ({ secret } = await createWebhook());
});

async function createWebhook(
  path = '',
  person = owner,
): Promise<{ readonly id: string; readonly secret: string }> {
  const { rows } = await queryAs<{ id: string; secret: string }>(
    database,
    person,
    'select * from create_webhook($1, $2)',
    [`https://${RECEIVER}/${path}`, ['link.created', 'link.updated', 'link.deleted', 'category.shared']],
  );
  if (!rows[0]) throw new Error('no webhook came back');
  return rows[0];
}
async function saveLink(title: string, person = owner): Promise<void> {
  await queryAs(database, person, 'select capture_link(gen_random_uuid(), $1, $2)', [
    'https://exemplo.com.br/',
    title,
  ]);
}
function declare(wish: { readonly post?: PostMessage; readonly metrics?: Registry } = {}) {
  const { post = createMessagePost(receivers.internet), metrics = new Registry() } = wish;
  return declareWebhooks({
    db: { pool: database.callers },
    post,
    metrics,
    logger: createLogger('silent'),
  });
}
const states = async () =>
  (
    await database.admin.query<{
      subject: string;
      state: string;
      outcome: string | null;
      status: number | null;
    }>('select subject, state, outcome, status from private.webhook_deliveries order by number')
  ).rows;
const forget = (text: string) => database.admin.query(text);

test('what happened is sent, signed, and noted', async () => {
  await saveLink('Pão');
  const metrics = new Registry();
  await runOnce(declare({ metrics }));
  const [message] = receivers.received;
  expect(
    new Webhook(secret).verify(message?.body ?? '', message?.headers as Record<string, string>),
  ).toMatchObject({
    type: 'link.created',
    data: { count: 1, links: [{ title: 'Pão', url: 'https://exemplo.com.br/' }] },
  });
  expect(await states()).toEqual([{ subject: 'Pão', state: 'delivered', outcome: 'delivered', status: 204 }]);
  await runOnce(declare());
  expect(receivers.received).toHaveLength(1);
  expect(await metrics.metrics()).toContain('linkoteca_webhook_attempts_total{outcome="delivered"} 1');
});

test('a queued event wakes the job', async () => {
  const job = createJob(declare());
  job.start();
  onTestFinished(() => job.stop());
  onTestFinished(
    listenForWork({ pool: database.callers }, createLogger('silent'), { linkoteca_webhooks: job.wake }),
  );
  for (const title of ['um', 'dois', 'três']) await saveLink(title);
  await expect
    .poll(() => receivers.received.map(({ body }) => JSON.parse(body).data.links[0].title))
    .toEqual(['um', 'dois', 'três']);
});

test('after it has sent something it looks again soon, and otherwise later', async () => {
  const job = declare();
  const pause = () => Number(typeof job.everyMs === 'function' ? job.everyMs() : job.everyMs);
  await saveLink('Pão');
  await runOnce(job);
  // A webhook sends five a second: what it has left is not to wait for the next look.
  const soon = pause();
  await runOnce(job);
  expect(soon).toBeLessThan(pause());
});

test('one slow receiver does not hold up others', async () => {
  const slow = await createWebhook('devagar');
  const other = await createUser(database.admin);
  await createWebhook('outra', other);
  const held: (() => void)[] = [];
  receivers.answer((response, { path }) => {
    if (path !== '/devagar') response.writeHead(204).end();
    else held.push(() => response.writeHead(204).end());
  });
  await saveLink('primeiro');
  const run = runOnce(declare());
  await expect.poll(() => held.length).toBe(1);
  // What comes while the slow one is under way is sent by the same run.
  await saveLink('segundo', other);
  await expect.poll(() => receivers.received.map(({ path }) => path)).toContain('/outra');
  held[0]?.();
  await run;
  const { rows } = await database.admin.query(
    'select state from private.webhook_deliveries where webhook_id = $1',
    [slow.id],
  );
  expect(rows).toEqual([{ state: 'delivered' }]);
});

test('a refusal is noted with what it says, and tried again under the same id', async () => {
  receivers.answer((response) => response.writeHead(503, { 'retry-after': '60' }).end());
  await saveLink('Pão');
  await runOnce(declare());
  expect(await states()).toMatchObject([{ state: 'waiting', outcome: 'refused', status: 503 }]);
  await forget(
    `update private.webhooks set due_at = now(); update private.webhook_deliveries set due_at = now()`,
  );
  receivers.answer((response) => response.writeHead(200).end());
  await runOnce(declare());
  expect(await states()).toMatchObject([{ state: 'delivered', status: 200 }]);
  const [first, second] = receivers.received;
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  expect(second?.body).toBe(first?.body);
});

test('a 410 of an address that its owner left while it was asked does not turn the webhook off', async () => {
  await saveLink('Pão');
  const leave = async () => {
    await forget(`update private.webhooks set url = 'https://mudou.exemplo.com.br/'`);
    return { outcome: 'refused', status: 410 } as const;
  };
  await runOnce(declare({ post: leave }));
  expect(await states()).toMatchObject([{ state: 'waiting', status: 410 }]);
  const { rows } = await forget('select off_reason from private.webhooks');
  expect(rows).toEqual([{ off_reason: null }]);
});

test('two copies of the server send each delivery once', async () => {
  for (let n = 0; n < 8; n += 1) {
    const person = await createUser(database.admin);
    await createWebhook(`${n}`, person);
    await saveLink('Pão', person);
  }
  await Promise.all([runOnce(declare()), runOnce(declare())]);
  expect(receivers.received.map(({ path }) => path).toSorted()).toEqual(
    Array.from({ length: 8 }, (_, n) => `/${n}`),
  );
});

test('a server that is killed while it delivers has it sent again, under the same id', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'webhook-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const certificate = createCertificate(RECEIVER);
  await writeFile(join(folder, 'cert.pem'), certificate.cert);
  const arrived = Promise.withResolvers<string>();
  // It never answers.
  const receiver = createServer(certificate, ({ headers }) => arrived.resolve(String(headers['webhook-id'])));
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    receiver.closeAllConnections();
    receiver.close();
  });
  await saveLink('Pão');
  const { host, database: name, user, password, port } = database.callers.options;
  const script = new URL('./test-support/deliver-in-process.ts', import.meta.url).pathname;
  const server = spawn(process.execPath, [script], {
    env: {
      NODE_EXTRA_CA_CERTS: join(folder, 'cert.pem'),
      DELIVERY: JSON.stringify({
        database: { host, database: name, user, password, port },
        port: (receiver.address() as AddressInfo).port,
      }),
    },
    stdio: 'inherit',
  });
  const id = await arrived.promise;
  server.kill('SIGKILL');
  await once(server, 'exit');
  await runOnce(declare());
  expect(receivers.received).toEqual([]);
  await forget(`update private.webhooks set due_at = due_at - interval '1 minute'`);
  await runOnce(declare());
  expect(receivers.received.map(({ headers }) => headers['webhook-id'])).toEqual([id]);
  expect(await states()).toMatchObject([{ state: 'delivered' }]);
});

test('a change that fails is not sent', async () => {
  await expect(
    queryAs(
      database,
      owner,
      `select capture_link(gen_random_uuid(), 'https://exemplo.com.br/', 'Pão'), 1 / 0`,
    ),
  ).rejects.toThrow();
  await runOnce(declare());
  expect(receivers.received).toEqual([]);
});

describe('the operator', () => {
  test('is told when deliveries cannot be noted, without secrets, bodies or addresses', async () => {
    await saveLink('Pão');
    const said: object[] = [];
    const job = declareWebhooks({
      db: { pool: database.callers },
      post: async () => ({ outcome: 'delivered', status: 70_000 }),
      metrics: new Registry(),
      logger: { warn: (facts: object) => void said.push(facts) },
    });
    const failure = await runOnce(job).catch((err: unknown) => err);
    job.onFailure(failure, false);
    expect(said).toEqual([{ err: failure }]);
    const { message = '', stack = '', ...facts } = failure as Error;
    const text = JSON.stringify({ message, stack, ...facts });
    expect(text).toContain('22003');
    for (const hidden of [secret.slice(6), 'Pão', RECEIVER]) expect(text).not.toContain(hidden);
  });

  test('has what is old thrown away', async () => {
    await saveLink('Pão');
    await forget(
      `update private.webhook_deliveries set created_at = now() - interval '31 days', state = 'failed'`,
    );
    await runOnce(declareWebhookPurge({ pool: database.callers }, createLogger('silent')));
    expect(await states()).toEqual([]);
  });

  test('has all of it thrown away, however much has come in an hour, until the server is to stop', async () => {
    const { id } = await createWebhook('antigo');
    const queueOld = () =>
      database.admin.query(
        `insert into private.webhook_deliveries (webhook_id, message_id, type, body, state, created_at)
         select $1, 'msg_' || n, 'link.created', '{}', 'failed', now() - interval '31 days' from generate_series(1, 10001) n`,
        [id],
      );
    const purge = declareWebhookPurge({ pool: database.callers }, createLogger('silent'));
    await queueOld();
    await runOnce(purge);
    expect(await states()).toEqual([]);
    await queueOld();
    let parts = 0;
    await runOnce(purge, { shouldStop: () => parts++ > 0 });
    expect(await states()).toHaveLength(1);
  });
});
