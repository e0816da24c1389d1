import { randomUUID } from 'node:crypto';
import type { RealtimeChannel } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { joinChannel } from './support/join-channel.ts';
import {
  createListener,
  type Listener,
  PUBLISHED_CLIENTS,
  type PublishedClient,
} from './support/realtime-clients.ts';
import { SOON } from './support/receive-changes.ts';
import { claimsOf, signWith } from './support/sign-token.ts';
import { type Copies, type ServerCopy, startCopies } from './support/start-copies.ts';

const [today] = PUBLISHED_CLIENTS;
const [member, stranger] = [randomUUID(), randomUUID()];

let copies: Copies;
let first: ServerCopy;
let second: ServerCopy;
const open: Listener[] = [];
beforeAll(async () => {
  copies = await startCopies();
  [first, second] = await Promise.all([copies.start(), copies.start()]);
  await copies.postgres.query(
    `create policy casa on realtime.messages to authenticated
       using (realtime.topic() like 'casa %' and realtime.topic() like '%' || (select auth.uid()))
       with check (realtime.topic() like 'casa %' and realtime.topic() like '%' || (select auth.uid()))`,
  );
  await untilTheyKnowEachOther();
});
afterAll(async () => {
  await Promise.all(open.map((listener) => listener.close()));
  await copies.stop();
});

/** What one copy's client says is heard on the other: repeated, as it is lost while they have not met. */
async function untilTheyKnowEachOther(): Promise<void> {
  const here = await openChannel(first, 'encontro');
  const there = await openChannel(second, 'encontro');
  await vi.waitFor(
    async () => {
      await say(here.channel, 'oi');
      await say(there.channel, 'oi');
      if (here.heard.length === 0 || there.heard.length === 0) throw new Error('they have not met');
    },
    { timeout: 20_000, interval: 100 },
  );
}

type Message = { event: string; payload: unknown; meta?: { id?: string } };

type OpenOptions = {
  readonly published?: PublishedClient;
  readonly person?: string;
  readonly config?: Record<string, unknown>;
};

async function openChannel(copy: ServerCopy, topic: string, options: OpenOptions = {}) {
  const { published = today, person, config = {} } = options;
  const token = person === undefined ? null : signWith(copies.jwtSecret, claimsOf(person));
  const listener = await createListener(copy, published, token);
  open.push(listener);
  const channel = listener.client.channel(topic, { config });
  const heard: Message[] = [];
  channel.on('broadcast', { event: '*' }, (message) => heard.push(message as unknown as Message));
  const left: string[] = [];
  channel.on('presence', { event: 'leave' }, ({ leftPresences }) =>
    left.push(...leftPresences.map(({ nome }) => nome as string)),
  );
  await joinChannel(channel);
  return { channel, heard, left, close: listener.close };
}

const say = (channel: RealtimeChannel, event: string, payload: unknown = {}) =>
  channel.send({ type: 'broadcast', event, payload });

const namesIn = (channel: RealtimeChannel) =>
  Object.values(channel.presenceState<{ nome: string }>())
    .flat()
    .map(({ nome }) => nome)
    .sort();

describe.each(PUBLISHED_CLIENTS)('two copies, the client $version', (published) => {
  test('broadcasts reach the other copy in order, and come back to nobody', async () => {
    const topic = randomUUID();
    const here = await openChannel(first, topic, { published });
    const there = await openChannel(second, topic, { published });
    const elsewhere = await openChannel(second, randomUUID(), { published });
    for (let index = 0; index < 20; index += 1) await say(here.channel, 'n', { index });
    await say(there.channel, 'resposta', { texto: 'olá, ção' });
    await expect.poll(() => there.heard.length, SOON).toBe(20);
    expect(there.heard.map(({ payload }) => payload)).toEqual(
      Array.from({ length: 20 }, (_, index) => ({ index })),
    );
    await expect
      .poll(() => here.heard, SOON)
      .toMatchObject([{ event: 'resposta', payload: { texto: 'olá, ção' } }]);
    expect(elsewhere.heard).toEqual([]);
  });

  test('everybody is present on both, until they leave', async () => {
    const topic = randomUUID();
    const here = await openChannel(first, topic, { published });
    const there = await openChannel(second, topic, { published });
    await here.channel.track({ nome: 'Ana' });
    await there.channel.track({ nome: 'Bia' });
    for (const { channel } of [here, there])
      await expect.poll(() => namesIn(channel), SOON).toEqual(['Ana', 'Bia']);
    const late = await openChannel(second, topic, { published });
    await expect.poll(() => namesIn(late.channel), SOON).toEqual(['Ana', 'Bia']);
    await here.channel.untrack();
    await expect.poll(() => namesIn(there.channel), SOON).toEqual(['Bia']);
    await there.close();
    await expect.poll(() => namesIn(here.channel), SOON).toEqual([]);
  });
});

describe('two copies', () => {
  test('keep a private channel to its members on both', async () => {
    const topic = `casa ${member}`;
    const config = { private: true };
    const here = await openChannel(first, topic, { person: member, config });
    const there = await openChannel(second, topic, { person: member, config });
    const open = await openChannel(second, topic, { person: stranger });
    for (const copy of [first, second])
      await expect(openChannel(copy, topic, { person: stranger, config })).rejects.toThrow('Unauthorized');
    await say(here.channel, 'segredo', { n: 1 });
    await expect.poll(() => there.heard, SOON).toMatchObject([{ event: 'segredo', payload: { n: 1 } }]);
    await say(open.channel, 'falsa');
    await say(there.channel, 'fim');
    await expect.poll(() => here.heard.map(({ event }) => event), SOON).toEqual(['fim']);
    expect(open.heard).toEqual([]);
  });

  test('deliver what SQL sends once each', async () => {
    const topic = randomUUID();
    const ears = [await openChannel(first, topic), await openChannel(second, topic)];
    await copies.postgres.query(`select realtime.send('{"n": 1}', 'do banco', $1, false)`, [topic]);
    await copies.postgres.query(`select realtime.send('{"n": 2}', 'fim', $1, false)`, [topic]);
    for (const { heard } of ears) {
      await expect.poll(() => heard.map(({ event }) => event), SOON).toEqual(['do banco', 'fim']);
      expect(heard[0]).toMatchObject({ payload: { n: 1 }, meta: { id: expect.any(String) } });
    }
  });

  test('deliver what comes over HTTP to one of them once each', async () => {
    const topic = randomUUID();
    const ears = [await openChannel(first, topic), await openChannel(second, topic)];
    for (const [index, copy] of [first, second].entries()) {
      const answer = await fetch(`${copy.url}/realtime/v1/api/broadcast`, {
        method: 'POST',
        headers: { apikey: copy.anonKey, 'content-type': 'application/json' },
        body: JSON.stringify({ messages: [{ topic, event: `${index}`, payload: {} }] }),
      });
      expect(answer.status).toBe(202);
      for (const { heard } of ears) await expect.poll(() => heard.length, SOON).toBe(index + 1);
    }
  });

  test('cannot be spoken to as a copy by whoever has an API key', async () => {
    for (const key of [first.anonKey, first.serviceRoleKey])
      for (const name of ['pg_logical_emit_message', 'send', 'readable_extensions']) {
        const answer = await fetch(`${first.url}/rest/v1/rpc/${name}`, {
          method: 'POST',
          headers: { apikey: key, authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ transactional: true, prefix: 'linkoteca:copy:x', content: '{}' }),
        });
        expect(answer.status).toBe(404);
      }
  });
});

describe('two copies whose database cuts every connection', () => {
  test('find each other again, miss nobody who is there, and keep nobody who has left meanwhile', async () => {
    const topic = randomUUID();
    const here = await openChannel(first, topic);
    const there = await openChannel(second, topic);
    await here.channel.track({ nome: 'Ana' });
    await there.channel.track({ nome: 'Bia' });
    await expect.poll(() => namesIn(there.channel), SOON).toEqual(['Ana', 'Bia']);
    await copies.postgres.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    );
    await here.channel.untrack();
    await expect.poll(() => namesIn(there.channel), SOON).toEqual(['Bia']);
    // The second copy is back. The first one hears again once it knows of somebody who came to the second one after that.
    const elsewhere = randomUUID();
    const newcomer = await openChannel(second, elsewhere);
    await newcomer.channel.track({ nome: 'Eva' });
    const watcher = await openChannel(first, elsewhere);
    await expect.poll(() => namesIn(watcher.channel), SOON).toEqual(['Eva']);
    await say(there.channel, 'de volta');
    await expect.poll(() => here.heard.map(({ event }) => event), SOON).toEqual(['de volta']);
    expect(namesIn(here.channel)).toEqual(['Bia']);
    expect([here.left, there.left]).toEqual([['Ana'], ['Ana']]);
  });
});

describe('a copy', () => {
  test('that is killed takes its people with it within seconds, and the next one meets who is there', async () => {
    const topic = randomUUID();
    const third = await copies.start();
    const here = await openChannel(first, topic);
    const there = await openChannel(third, topic);
    await here.channel.track({ nome: 'Ana' });
    await there.channel.track({ nome: 'Caio' });
    await expect.poll(() => namesIn(here.channel), SOON).toEqual(['Ana', 'Caio']);
    await expect.poll(() => namesIn(there.channel), SOON).toEqual(['Ana', 'Caio']);
    await third.process.kill();
    await expect.poll(() => namesIn(here.channel), SOON).toEqual(['Ana']);

    const fourth = await copies.start();
    const back = await openChannel(fourth, topic);
    await expect.poll(() => namesIn(back.channel), SOON).toEqual(['Ana']);
    await back.channel.track({ nome: 'Davi' });
    await expect.poll(() => namesIn(here.channel), SOON).toEqual(['Ana', 'Davi']);
    await say(back.channel, 'voltei');
    await expect.poll(() => here.heard.map(({ event }) => event), SOON).toEqual(['voltei']);

    expect(await fourth.process.stop()).toBe(0);
    await expect.poll(() => namesIn(here.channel), SOON).toEqual(['Ana']);
  });
});
