import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { signWebhook } from '../../kernel/sign-webhook.ts';
import { messageOf, WEBHOOK_EVENTS, WEBHOOK_RECEIVER } from './webhook-guide.ts';

let database: ThrowawayDatabase;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());

test('each event is what the database writes', async () => {
  const owner = await createUser(database.admin, { plan: 'pro' });
  const run = (text: string, ...values: unknown[]) => queryAs<{ id: string }>(database, owner, text, values);
  const events = Object.keys(WEBHOOK_EVENTS).filter((event) => event !== 'webhook.test');
  const { rows } = await run('select id from create_webhook($1, $2)', 'https://a.exemplo.com.br/', events);
  await run(`select capture_link(gen_random_uuid(), 'https://a.br/', 'A', 'Sobre')`);
  await run(`update links set title = 'B'`);
  await run(`select save_sharing(id, false, '{ana@a.br}') from categories`);
  await run('delete from links');
  await run('select send_webhook_test($1)', rows[0]?.id);
  const sent = await database.admin.query<{ type: keyof typeof WEBHOOK_EVENTS; body: string }>(
    'select type, body from private.webhook_deliveries',
  );
  expect(new Set(sent.rows.map(({ type }) => type))).toEqual(new Set(Object.keys(WEBHOOK_EVENTS)));
  for (const { type, body } of sent.rows) v.parse(messageOf(type), JSON.parse(body));
});

test('the receiver of the page takes what is signed, once, and nothing else', async () => {
  const secret = Buffer.from('um segredo de trinta e dois byte');
  const receiver = spawn(process.execPath, ['--input-type=module', '--eval', WEBHOOK_RECEIVER], {
    cwd: new URL('../../..', import.meta.url).pathname,
    env: { LINKOTECA_WEBHOOK_SECRET: `whsec_${secret.toString('base64')}`, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(receiver, 'exit');
  onTestFinished(async () => {
    receiver.kill();
    await ended;
  });
  const lines = createInterface(receiver.stdout)[Symbol.asyncIterator]();
  const port = Number((await lines.next()).value?.split(' ').at(-1));
  const body = '{"type":"link.created","timestamp":"2026-01-01T00:00:00.000Z","data":{"count":1}}';
  const send = async (key: Buffer, text: string) =>
    (
      await fetch(`http://127.0.0.1:${port}/`, {
        method: 'POST',
        headers: signWebhook({ id: 'msg_1', sentAt: new Date(), body }, [key]),
        body: text,
      })
    ).status;
  expect(await send(Buffer.from('outro segredo, que não é o deles'), body)).toBe(400);
  expect(await send(secret, body.replace('1', '2'))).toBe(400);
  expect(await send(secret, body)).toBe(204);
  expect(await send(secret, body)).toBe(204);
  receiver.kill();
  const rest: string[] = [];
  for await (const line of { [Symbol.asyncIterator]: () => lines }) rest.push(line);
  expect(rest).toEqual(['link.created {"count":1}']);
});
