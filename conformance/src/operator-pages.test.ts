import { type AddressInfo, connect, createServer } from 'node:net';
import { createDataFolder, type DataFolder } from '@linkoteca/server-process/create-data-folder';
import { findFreePort } from '@linkoteca/server-process/find-free-port';
import {
  runServerToItsEnd,
  type ServerProcess,
  startServerProcess,
} from '@linkoteca/server-process/start-server-process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { required } from './support/required.ts';

const PUBLIC = { SITE_URL: 'https://links.example.com' };
const GIVEN_AWAY = { ALLOW_PAYMENT_EMULATOR: 'true', ALLOW_MAIL_FILES: 'true' };

let data: DataFolder;
let port: number;
beforeAll(async () => {
  data = await createDataFolder();
  port = await findFreePort();
});
afterAll(() => data.remove());

test('a public address does not start on free plans and mails in files by mistake', async () => {
  const { code, output } = await runServerToItsEnd({ dataFolder: data.path, port, environment: PUBLIC });
  expect(code).toBe(1);
  expect(output.trim().split('\n')).toHaveLength(1);
  for (const name of ['STRIPE_SECRET_KEY', 'SMTP_URL', ...Object.keys(GIVEN_AWAY)])
    expect(output).toContain(name);
});

describe('behind a proxy on this machine that says for whom it asks to nobody', () => {
  let server: ServerProcess;
  let proxied: string;
  // It passes bytes, as what ends TLS in front of a server may do.
  const proxy = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    client.pipe(upstream).pipe(client);
    for (const side of [client, upstream]) side.on('error', () => undefined);
  });
  beforeAll(async () => {
    const environment = { ...PUBLIC, ...GIVEN_AWAY };
    server = await startServerProcess({ dataFolder: data.path, port, environment });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    proxied = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    proxy.close();
    await server.stop();
  });

  const PAGES = [
    '/dev/mail',
    '/dev/mail.json',
    '/metrics',
    '/payment-emulator',
    '/payment-emulator/control/state',
  ];

  test.each(PAGES)('%s is the operator’s', async (path) => {
    const key = required(/^Chave do operador: (\S+)$/m.exec(server.output())?.[1]);
    const open = (headers: Record<string, string>) => fetch(`${proxied}${path}`, { headers });
    expect((await open({})).status).toBe(404);
    expect((await open({ authorization: `Bearer ${key.slice(0, -1)}` })).status).toBe(404);
    expect((await fetch(`${server.url}${path}`)).status).toBe(404);
    expect((await open({ authorization: `Bearer ${key}` })).status).toBe(200);
  });

  test('the emulator’s clock stands still for everybody else', async () => {
    const advance = await fetch(`${proxied}/payment-emulator/control/advance`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"days":400}',
    });
    expect(advance.status).toBe(404);
  });
});
