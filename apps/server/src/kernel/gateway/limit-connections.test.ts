import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { eventually } from '@linkoteca/test-kit/eventually';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { limitConnections } from './create-gateway.ts';

test('one network opens so many connections, and another one still gets in', async () => {
  const app = Fastify();
  limitConnections(app, 2);
  app.get('/', async () => 'olá');
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const dial = (localAddress: string) => connect({ port, host: '127.0.0.1', localAddress });
  const ask = async (from: string) => {
    const socket = dial(from).on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    await new Promise((resolve) => socket.on('close', resolve));
    return text.split(' ')[1] ?? 'closed';
  };
  const idle = [dial('127.0.0.1'), dial('127.0.0.1')];
  await Promise.all(idle.map((socket) => once(socket, 'connect')));
  expect(await ask('127.0.0.1')).toBe('closed');
  expect(await ask('127.0.0.2')).toBe('200');
  idle[0]?.destroy();
  await eventually(async () => expect(await ask('127.0.0.1')).toBe('200'));
  idle[1]?.destroy();
  await app.close();
});
