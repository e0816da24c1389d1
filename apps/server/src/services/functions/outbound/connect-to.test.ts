import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectTo } from './open-public-connection.ts';

let server: Server;
let port: number;
beforeAll(async () => {
  server = createServer((socket) => socket.on('error', () => undefined).end('aqui'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const signal = () => AbortSignal.timeout(5_000);

test('connects to the address it was given', async () => {
  const socket = await connectTo(['127.0.0.1'], port, signal());
  expect([socket.remoteAddress, socket.remotePort]).toEqual(['127.0.0.1', port]);
  socket.destroy();
});

test('goes on to the next address when one does not answer', async () => {
  const socket = await connectTo(['::1', '127.0.0.1'], port, signal());
  expect(socket.remoteAddress).toBe('127.0.0.1');
  socket.destroy();
});

test('fails when none answers', async () => {
  await expect(connectTo(['::1', '127.0.0.2'], port, signal())).rejects.toThrow();
});

test('stops when it is told to', async () => {
  const leaving = new AbortController();
  const connecting = connectTo(['127.0.0.1'], port, leaving.signal);
  leaving.abort();
  await expect(connecting).rejects.toThrow(/abort/);
});
