import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createDataFolder, type DataFolder } from '@linkoteca/server-process/create-data-folder';
import { findFreePort } from '@linkoteca/server-process/find-free-port';
import { openServerDatabase } from '@linkoteca/server-process/open-server-database';
import { type ServerProcess, startServerProcess } from '@linkoteca/server-process/start-server-process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPerson, type Person } from './support/create-person.ts';
import { createShelf, type Shelf } from './support/create-shelf.ts';
import { joinForChanges } from './support/join-channel.ts';
import { encodeBroadcast, openRawSocket } from './support/open-raw-socket.ts';
import { readKeys } from './support/read-keys.ts';
import { createListener, type Listener, PUBLISHED_CLIENTS } from './support/realtime-clients.ts';
import { type Change, receiveChanges } from './support/receive-changes.ts';
import { required } from './support/required.ts';
import type { Deployment } from './support/start-deployment.ts';

/** The clients come back after 1, 2, 5 and 10 s; a machine that is busy needs its time, too. */
const BACK = { timeout: 45_000, interval: 50 } as const;

let data: DataFolder;
let port: number;
let server: ServerProcess;
let deployment: Deployment;
let person: Person;
let shelf: Shelf;
beforeAll(async () => {
  data = await createDataFolder();
  port = await findFreePort();
  server = await startServerProcess({ dataFolder: data.path, port });
  deployment = {
    ...(await readKeys({ dataFolder: data.path, port })),
    url: server.url,
    dataFolder: data.path,
  };
  person = await createPerson(deployment, { plan: 'pro' });
  shelf = await createShelf(person);
});
afterAll(async () => {
  await server.stop();
  await data.remove();
});

type Ear = Listener & { readonly heard: Change[]; readonly systems: readonly { status: string }[] };

/** A listener of each published client on the person's links, live. */
function openEars(): Promise<Ear[]> {
  return Promise.all(
    PUBLISHED_CLIENTS.map(async (published) => {
      const { session } = (await person.client.auth.getSession()).data;
      const listener = await createListener(deployment, published, required(session).access_token);
      const channel = listener.client.channel('ligações');
      const heard = receiveChanges(channel, { table: 'links' });
      return { ...listener, heard, systems: (await joinForChanges(channel)).systems };
    }),
  );
}

let written = 0;

/** @returns the title when the insert was acknowledged. */
async function write(): Promise<string | undefined> {
  written += 1;
  const title = `Ligação ${written}`;
  const { error } = await person.client
    .from('links')
    .insert({ title, url: 'https://example.com', category_id: shelf.categoryId, user_id: person.id });
  return error === null ? title : undefined;
}

const titlesOf = ({ heard }: Ear) => heard.map((change) => (change.new as { title?: string }).title);

/** Writes again and again until everybody has heard one of the rows: they are back. */
async function expectHearingAgain(ears: readonly Ear[]): Promise<void> {
  const back = new Set<Ear>();
  const titles = new Set<string | undefined>();
  await expect
    .poll(async () => {
      const title = await write();
      if (title === undefined) return false;
      // Also an earlier one of them: a row may take longer to be heard than the next to be written.
      titles.add(title);
      for (const ear of ears) if (titlesOf(ear).some((heard) => titles.has(heard))) back.add(ear);
      return back.size === ears.length;
    }, BACK)
    .toBe(true);
}

describe('subscribers', () => {
  test('come back by themselves after the server was killed, and hear again', async () => {
    const ears = await openEars();
    await server.kill();
    server = await startServerProcess({ dataFolder: data.path, port });
    await expectHearingAgain(ears);
    for (const ear of ears) expect(new Set(titlesOf(ear)).size).toBe(ear.heard.length);
    await Promise.all(ears.map((ear) => ear.close()));
  });

  test('miss nothing when Postgres is killed, or are told that they may have', async () => {
    const ears = await openEars();
    const before = ears.map(({ systems }) => systems.length);
    const acknowledged: string[] = [];
    const note = (title: string | undefined) => title !== undefined && acknowledged.push(title);
    for (let n = 0; n < 20; n += 1) note(await write());
    const database = await openServerDatabase(data.path);
    const { rows } = await database.query('select pg_read_file($1) as file', ['postmaster.pid']);
    process.kill(Number((rows[0].file as string).split('\n')[0]), 'SIGKILL');
    for (let n = 0; n < 20; n += 1) {
      note(await write());
      await pause(25);
    }
    await database.end().catch(() => undefined);
    await expectHearingAgain(ears);
    for (const [index, ear] of ears.entries()) {
      const heard = new Set(titlesOf(ear));
      const missed = acknowledged.filter((title) => !heard.has(title));
      const told = ear.systems.slice(before[index]);
      if (missed.length > 0) expect(told.length).toBeGreaterThan(0);
      expect(heard.size).toBe(ear.heard.length);
    }
    await Promise.all(ears.map((ear) => ear.close()));
  });

  test('are told when the feed was cut off, and hear what comes after it', async () => {
    const ears = await openEars();
    const database = await openServerDatabase(data.path);
    const { rowCount } = await database.query(
      'select pg_terminate_backend(active_pid) from pg_replication_slots where active',
    );
    expect(rowCount).toBeGreaterThan(0);
    await expectHearingAgain(ears);
    const { rows } = await database.query('select slot_name, temporary from pg_replication_slots');
    // What is left behind holds the log for ever: nothing is.
    expect(rows).toEqual([{ slot_name: expect.any(String), temporary: true }]);
    await database.end();
    await Promise.all(ears.map((ear) => ear.close()));
  });

  test('lose their connection, not their process, when the server is asked to stop', async () => {
    const ears = await openEars();
    const started = Date.now();
    expect(await server.stop()).toBe(0);
    expect(Date.now() - started).toBeLessThan(10_000);
    server = await startServerProcess({ dataFolder: data.path, port });
    await expectHearingAgain(ears);
    await Promise.all(ears.map((ear) => ear.close()));
  });
});

describe('a client that never reads', () => {
  test('is cut off while the others hear everything', async () => {
    const [sender, witness] = [
      await openRawSocket(deployment, '2.0.0'),
      await openRawSocket(deployment, '2.0.0'),
    ];
    for (const socket of [sender, witness]) {
      socket.push({ topic: 'realtime:cheia', event: 'phx_join', payload: {}, ref: '1', joinRef: '1' });
      await socket.replyTo('1');
    }
    const deaf = await openDeafSocket('realtime:cheia');
    const payload = JSON.stringify({ x: 'x'.repeat(500_000) });
    const count = 120;
    for (let n = 0; n < count; n += 1)
      sender.sendRaw(
        encodeBroadcast({ topic: 'realtime:cheia', event: `${n}`, payload, ref: `${n + 2}`, joinRef: '1' }),
      );
    await witness.find((frame) => frame.payload['event'] === `${count - 1}`);
    expect(witness.heard.filter(({ event }) => event === 'broadcast')).toHaveLength(count);
    // Who does not read does not hear that the connection has ended either, until they say something into it.
    const knocking = setInterval(() => deaf.write(maskedText('[null,"9","phoenix","heartbeat",{}]')), 50);
    await new Promise((resolve) => deaf.once('close', resolve));
    clearInterval(knocking);
    for (const socket of [sender, witness]) socket.close();
  });
});

/** A socket that joins a channel and then never reads again. */
async function openDeafSocket(topic: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    [
      `GET /realtime/v1/websocket?apikey=${deployment.anonKey}&vsn=2.0.0 HTTP/1.1`,
      `Host: 127.0.0.1:${port}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      '\r\n',
    ].join('\r\n'),
  );
  await heardText(socket, '101 Switching Protocols');
  socket.write(maskedText(JSON.stringify(['1', '1', topic, 'phx_join', {}])));
  await heardText(socket, 'phx_reply');
  socket.pause();
  return socket;
}

function heardText(socket: Socket, text: string): Promise<void> {
  return new Promise((resolve) => {
    const look = (chunk: Buffer) => {
      if (!chunk.includes(text)) return;
      socket.off('data', look);
      resolve();
    };
    socket.on('data', look);
  });
}

/** One final text frame of up to 125 bytes; a mask of zeroes leaves the bytes as they are (RFC 6455, section 5.3). */
const maskedText = (text: string) =>
  Buffer.concat([Buffer.from([0x81, 0x80 | Buffer.byteLength(text), 0, 0, 0, 0]), Buffer.from(text)]);
