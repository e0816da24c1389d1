import { afterEach, expect, test } from 'vitest';
import { type NameServer, startNameServer } from '../test-support/start-name-server.ts';
import { createHostResolver } from './open-public-connection.ts';

const HOST = 'site.exemplo.com';
const IPV4 = '93.184.215.14';
const IPV6 = '2606:2800:21f:cb07:0:0:0:1';

let server: NameServer;
afterEach(() => server.stop());

async function resolve(addresses: readonly string[], host = HOST, milliseconds = 5_000) {
  server = await startNameServer(HOST, addresses);
  return await createHostResolver([server.address])(host, AbortSignal.timeout(milliseconds));
}

test('answers the addresses of both families', async () => {
  expect(await resolve([IPV4, '127.0.0.1', IPV6])).toEqual([IPV4, '127.0.0.1', '2606:2800:21f:cb07::1']);
});

test.each([[[IPV4]], [[IPV6]]])('one family is enough: %s', async (addresses) => {
  expect(await resolve(addresses)).toHaveLength(1);
});

test('a name without an address is an error', async () => {
  await expect(resolve([])).rejects.toMatchObject({ code: 'ENODATA' });
});

test('a silent name server is left when the time is up', async () => {
  const start = performance.now();
  await expect(resolve([IPV4], 'mudo.exemplo.com', 100)).rejects.toMatchObject({ code: 'ECANCELLED' });
  expect(performance.now() - start).toBeLessThan(1_500);
});

test('the file of host names is not asked', async () => {
  await expect(resolve([IPV4], 'localhost', 100)).rejects.toThrow();
});
