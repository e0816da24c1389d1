import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { callOwnFunction, type OwnFunctions } from './call-own-function.ts';

async function serve(answer: RequestListener): Promise<OwnFunctions> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return { server, serviceRoleKey: 'a-chave' };
}

test('a function is called with the key and what it is told, and its answer is the report', async () => {
  const asked: unknown[] = [];
  const own = await serve(async (request, response) => {
    const { method, url, headers } = request;
    const body = (await request.toArray()).join('');
    asked.push([method, url, headers.authorization, headers['content-type'], body]);
    response.end('{"complete":true}');
  });
  const body = { before: '2027-01-02T00:00:00.000Z' };
  expect(await callOwnFunction(own, 'account-upkeep', { patienceMs: 20_000 })).toEqual({ complete: true });
  await callOwnFunction(own, 'reconcile-subscriptions', { body, patienceMs: 20_000 });
  const key = 'Bearer a-chave';
  expect(asked).toEqual([
    ['POST', '/functions/v1/account-upkeep', key, undefined, ''],
    ['POST', '/functions/v1/reconcile-subscriptions', key, 'application/json', JSON.stringify(body)],
  ]);
});

test.each([403, 500, 503])('a refusal is no report: %s', async (status) => {
  const own = await serve((_request, response) => response.writeHead(status).end('{"error":"não deu"}'));
  await expect(callOwnFunction(own, 'check-links', { patienceMs: 20_000 })).rejects.toThrow(
    `check-links: status ${status}`,
  );
});

test('one that does not answer is not waited for without end', async () => {
  const own = await serve(() => undefined);
  await expect(callOwnFunction(own, 'check-links', { patienceMs: 200 })).rejects.toMatchObject({
    name: 'TimeoutError',
  });
});
