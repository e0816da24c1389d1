import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createApiClient } from './api-client.ts';

/** A client of a server that answers like this, and the pauses that it made. */
async function open(answer: RequestListener) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const pauses: number[] = [];
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const api = createApiClient({ url, token: 'lk_pat_x' }, async (ms) => pauses.push(ms));
  return { api, pauses, url };
}

it('sends again what the server could not take yet, under the same key', async () => {
  const keys: unknown[] = [];
  const { api, pauses } = await open((request, reply) => {
    keys.push(request.headers['idempotency-key']);
    if (keys.length < 3) reply.writeHead(429, { 'retry-after': '7' }).end('{"detail":"Espere"}');
    else reply.writeHead(201).end('{"id":1}');
  });
  expect(await api.post('/links', { url: 'x' }, 'k')).toEqual({ id: 1 });
  expect([keys, pauses]).toEqual([
    ['k', 'k', 'k'],
    [7_000, 7_000],
  ]);
});

it('gives up in the words of the server', async () => {
  const { api, pauses } = await open((_request, reply) =>
    reply.writeHead(429, { 'retry-after': '1' }).end('{"detail":"Muitos pedidos"}'),
  );
  await expect(api.get('/links')).rejects.toThrow('Muitos pedidos');
  expect(pauses).toHaveLength(4);
  const far = await open((_request, reply) => reply.writeHead(503, { 'retry-after': '86400' }).end('{}'));
  await expect(far.api.get('/links')).rejects.toThrow(/503/);
  expect(far.pauses).toEqual([]);
});

it('does not follow to another address with the token', async () => {
  let asked = 0;
  const other = await open((_request, reply) => {
    asked += 1;
    reply.end('{}');
  });
  const { api } = await open((_request, reply) => reply.writeHead(302, { location: other.url }).end());
  await expect(api.get('/me')).rejects.toThrow(/não responde/);
  expect(asked).toBe(0);
});

it('says what is no Linkoteca', async () => {
  const { api } = await open((_request, reply) => reply.end('<!doctype html>'));
  await expect(api.get('/me')).rejects.toThrow(/não respondeu como uma Linkoteca/);
});
