import { randomUUID } from 'node:crypto';
import { openServerDatabase, type ServerDatabase } from '@linkoteca/server-process/open-server-database';
import type { RealtimeChannel } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { joinChannel } from './support/join-channel.ts';
import {
  createListener,
  type Listener,
  PUBLISHED_CLIENTS,
  type PublishedClient,
} from './support/realtime-clients.ts';
import { SOON } from './support/receive-changes.ts';
import { claimsOf, signToken } from './support/sign-token.ts';

const deployment = inject('deployment');
const [today] = PUBLISHED_CLIENTS;
/** Members of a room are named in its topic, those who may write with a `+` behind their id. */
const [writer, reader, stranger] = [randomUUID(), randomUUID(), randomUUID()];

let database: ServerDatabase;
const open: Listener[] = [];
beforeAll(async () => {
  database = await openServerDatabase(deployment.dataFolder);
  await database.query(`
    create policy sala_ouvir on realtime.messages for select to authenticated
      using (realtime.topic() like 'sala %' and strpos(realtime.topic(), (select auth.uid())::text) > 0);
    create policy sala_falar on realtime.messages for insert to authenticated
      with check (realtime.topic() like 'sala %' and strpos(realtime.topic(), (select auth.uid())::text || '+') > 0);`);
});
afterAll(async () => {
  await Promise.all(open.map((listener) => listener.close()));
  await database.query(
    'drop policy sala_ouvir on realtime.messages; drop policy sala_falar on realtime.messages',
  );
  await database.end();
});

const roomOf = () => `sala ${randomUUID()} ${writer}+ ${reader}`;

async function listenAs(person: string | null, published: PublishedClient = today, seconds?: number) {
  const token = person && (await signToken(deployment.dataFolder, claimsOf(person, seconds)));
  const listener = await createListener(deployment, published, token);
  open.push(listener);
  return listener;
}

type Message = { event: string; payload: unknown; meta?: { id?: string; replayed?: boolean } };

function openRoom({ client }: Listener, topic: string, config: Record<string, unknown> = {}) {
  const channel = client.channel(topic, { config: { private: true, ...config } });
  const heard: Message[] = [];
  channel.on('broadcast', { event: '*' }, (message) => heard.push(message as unknown as Message));
  return { channel, heard };
}

const say = (channel: RealtimeChannel, event: string, payload: unknown = {}) =>
  channel.send({ type: 'broadcast', event, payload });

describe.each(PUBLISHED_CLIENTS)('a private channel of the client $version', (published) => {
  test('opens for those whom a policy lets hear it, with the reason for those whom none does', async () => {
    const topic = roomOf();
    await joinChannel(openRoom(await listenAs(reader, published), topic).channel);
    for (const person of [stranger, null]) {
      const { channel } = openRoom(await listenAs(person, published), topic);
      await expect(joinChannel(channel)).rejects.toThrow(
        `Unauthorized: You do not have permissions to read from this Channel topic: ${topic}`,
      );
    }
  });

  test('carries what writers say, and nothing that mere readers say', async () => {
    const topic = roomOf();
    const speaking = openRoom(await listenAs(writer, published), topic, { broadcast: { ack: true } });
    const listening = openRoom(await listenAs(reader, published), topic, { broadcast: { ack: true } });
    await Promise.all([speaking, listening].map(({ channel }) => joinChannel(channel)));
    expect(await say(listening.channel, 'proibida')).toBe('error');
    expect(await say(speaking.channel, 'permitida', { n: 1 })).toBe('ok');
    await expect.poll(() => listening.heard, SOON).toMatchObject([{ event: 'permitida', payload: { n: 1 } }]);
    expect(speaking.heard).toEqual([]);
  });

  test('is another than the public channel of the same name', async () => {
    const topic = roomOf();
    const secret = openRoom(await listenAs(reader, published), topic);
    const secretVoice = openRoom(await listenAs(writer, published), topic, { broadcast: { ack: true } });
    const publicVoice = openRoom(await listenAs(stranger, published), topic, {
      private: false,
      broadcast: { ack: true },
    });
    await Promise.all([secret, secretVoice, publicVoice].map(({ channel }) => joinChannel(channel)));
    expect(await say(publicVoice.channel, 'de fora')).toBe('ok');
    expect(await say(secretVoice.channel, 'de dentro')).toBe('ok');
    await expect.poll(() => secret.heard.map(({ event }) => event), SOON).toEqual(['de dentro']);
    expect(publicVoice.heard).toEqual([]);
  });

  test('hears what the database sends, bytes and changes too', async () => {
    const topic = roomOf();
    const { channel, heard } = openRoom(await listenAs(reader, published), topic);
    const outside = openRoom(await listenAs(stranger, published), topic, { private: false });
    await Promise.all([joinChannel(channel), joinChannel(outside.channel)]);
    await database.query(`select realtime.send('{"n": 1, "ç": [null]}', 'do banco', $1)`, [topic]);
    await database.query(
      `select realtime.broadcast_changes($1, 'mudou', 'UPDATE', 't', 'public', row(2), row(1))`,
      [topic],
    );
    await expect.poll(() => heard.map(({ event }) => event), SOON).toEqual(['do banco', 'mudou']);
    expect(heard[0]).toMatchObject({
      payload: { n: 1, ç: [null], id: expect.any(String) },
      meta: { id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    });
    expect(heard[1]?.payload).toMatchObject({ operation: 'UPDATE', table: 't', schema: 'public' });
    await database.query(`select realtime.send('{}', 'aberta', $1, false)`, [topic]);
    await expect.poll(() => outside.heard.map(({ event }) => event), SOON).toEqual(['aberta']);
    expect(heard).toHaveLength(2);
  });

  test('ends when the person that the token names may not hear it', async () => {
    const topic = roomOf();
    const listener = await listenAs(reader, published);
    const { channel, heard } = openRoom(listener, topic);
    const { statuses, systems } = await joinChannel(channel);
    await listener.renew(await signToken(deployment.dataFolder, claimsOf(stranger)));
    await expect.poll(() => statuses.length, SOON).toBeGreaterThan(1);
    expect(systems).toContainEqual(expect.objectContaining({ status: 'error' }));
    await database.query(`select realtime.send('{}', 'tarde', $1)`, [topic]);
    const witness = openRoom(await listenAs(writer, published), topic);
    await joinChannel(witness.channel);
    await database.query(`select realtime.send('{}', 'mais tarde', $1)`, [topic]);
    await expect.poll(() => witness.heard.map(({ event }) => event), SOON).toContain('mais tarde');
    expect(heard).toEqual([]);
  });

  test('ends when the token expires, and goes on when it is renewed in time', async () => {
    const topic = roomOf();
    const [careless, careful] = [
      await listenAs(reader, published, 10),
      await listenAs(reader, published, 10),
    ];
    const ending = await joinChannel(openRoom(careless, topic).channel);
    const { channel, heard } = openRoom(careful, topic);
    const going = await joinChannel(channel);
    await careful.renew(await signToken(deployment.dataFolder, claimsOf(reader)));
    await expect.poll(() => ending.statuses.length, SOON).toBeGreaterThan(1);
    expect(ending.systems.at(-1)).toMatchObject({
      status: 'error',
      message: expect.stringMatching(/expired/i),
    });
    await database.query(`select realtime.send('{}', 'depois', $1)`, [topic]);
    await expect.poll(() => heard.map(({ event }) => event), SOON).toEqual(['depois']);
    expect(going.statuses).toEqual(['SUBSCRIBED']);
  });

  test('keeps presence to those whom a policy lets hear it', async () => {
    const topic = roomOf();
    const [ana, bia] = [await listenAs(writer, published), await listenAs(reader, published)];
    const [mine, hers] = [ana, bia].map((listener, index) => {
      const { channel } = openRoom(listener, topic, { presence: { key: `${index}` } });
      return channel.on('presence', { event: 'sync' }, () => undefined);
    }) as [RealtimeChannel, RealtimeChannel];
    await Promise.all([joinChannel(mine), joinChannel(hers)]);
    expect(await mine.track({ n: 1 })).toBe('ok');
    await hers.track({ n: 2 }, { timeout: 1_500 });
    await expect.poll(() => Object.keys(hers.presenceState()), SOON).toEqual(['0']);
    await expect.poll(() => Object.keys(mine.presenceState()), SOON).toEqual(['0']);
  });
});

describe('a private channel', () => {
  test('replays what was stored, newest last, to those who may hear it', async () => {
    const topic = roomOf();
    const before = Date.now() - 60_000;
    // Told already when the others join: what they hear then is replayed.
    const witness = openRoom(await listenAs(reader), topic);
    await joinChannel(witness.channel);
    for (let n = 0; n < 30; n += 1)
      await database.query(`select realtime.send(jsonb_build_object('n', $1::int), 'guardada', $2)`, [
        n,
        topic,
      ]);
    await database.query(`select realtime.send('{}', 'de outra', $1)`, [roomOf()]);
    await expect.poll(() => witness.heard.length, SOON).toBe(30);
    const { channel, heard } = openRoom(await listenAs(reader), topic, {
      broadcast: { replay: { since: before, limit: 3 } },
    });
    await joinChannel(channel);
    await expect.poll(() => heard.length, SOON).toBe(3);
    expect(heard.map(({ payload }) => (payload as { n: number }).n)).toEqual([27, 28, 29]);
    for (const { meta } of heard) expect(meta).toMatchObject({ replayed: true, id: expect.any(String) });

    const all = openRoom(await listenAs(reader), topic, { broadcast: { replay: { since: before } } });
    await joinChannel(all.channel);
    await expect.poll(() => all.heard.length, SOON).toBe(25);
    const none = openRoom(await listenAs(reader), topic, {
      broadcast: { replay: { since: Date.now() + 60_000 } },
    });
    await joinChannel(none.channel);
    const refused = openRoom(await listenAs(stranger), topic, { broadcast: { replay: { since: before } } });
    await expect(joinChannel(refused.channel)).rejects.toThrow(/Unauthorized/);
    await database.query(`select realtime.send('{}', 'fim', $1)`, [topic]);
    await expect.poll(() => none.heard.map(({ event }) => event), SOON).toEqual(['fim']);
    expect(refused.heard).toEqual([]);
  });

  test('carries what writers send over HTTP; what others send is refused, or skipped in a batch', async () => {
    const topic = roomOf();
    const { channel, heard } = openRoom(await listenAs(reader), topic);
    await joinChannel(channel);
    const speaking = openRoom(await listenAs(writer), topic).channel;
    expect(await speaking.httpSend('http', { n: 1 })).toEqual({ success: true });
    for (const person of [reader, stranger, null]) {
      const refused = openRoom(await listenAs(person), topic).channel;
      await expect(refused.httpSend('proibida', {})).rejects.toThrow(/\S/);
      expect(await say(refused, 'proibida em lote')).toBe('ok');
    }
    expect(await say(openRoom(await listenAs(writer), topic).channel, 'lote')).toBe('ok');
    await expect.poll(() => heard.map(({ event }) => event), SOON).toEqual(['http', 'lote']);
  });
});

describe('a public channel', () => {
  test('ends when the token expires, too', async () => {
    const { client } = await listenAs(reader, today, 10);
    const { statuses, systems } = await joinChannel(client.channel('pública com prazo'));
    await expect.poll(() => statuses.length, SOON).toBeGreaterThan(1);
    expect(systems.at(-1)).toMatchObject({ status: 'error', message: expect.stringMatching(/expired/i) });
  });

  test.each([
    ['expired', () => signToken(deployment.dataFolder, claimsOf(reader, -60))],
    ['forged', async () => `${(await signToken(deployment.dataFolder, claimsOf(reader))).slice(0, -4)}AAAA`],
    [
      'of a role that is nobody’s',
      () => signToken(deployment.dataFolder, { ...claimsOf(reader), role: 'postgres' }),
    ],
  ])('is not joined with a token that is %s', async (_what, makeToken) => {
    const listener = await createListener(deployment, today, await makeToken());
    open.push(listener);
    await expect(joinChannel(listener.client.channel('pública'))).rejects.toThrow(
      /^(InvalidJWTToken|JwtSignatureError|Unauthorized): /,
    );
  });
});
