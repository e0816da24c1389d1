import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FilesBench, type Person, startFiles } from '../test-support/start-files.ts';
import * as addresses from './signed-addresses.ts';

let bench: FilesBench;
let ana: Person;
let stranger: Person;
beforeAll(async () => {
  bench = await startFiles();
  ana = await bench.createPerson();
  stranger = await bench.createPerson();
});
afterAll(() => bench.stop());
beforeEach(() => bench.advanceClock(0));

const path = (name: string, person = ana) => `arquivos/${person.id}/${name}`;
const keep = (name: string, body = 'segredo') =>
  bench.ask('PUT', `/object/${path(name)}`, { as: ana, body, headers: { 'content-type': 'text/plain' } });
const post = async (
  way: string,
  body: unknown,
  as: Person | string = ana,
  headers: Record<string, string> = {},
) => {
  const json = { 'content-type': 'application/json', ...headers };
  const answer = await bench.ask('POST', way, { as, body: JSON.stringify(body), headers: json });
  return { status: answer.status, json: (await answer.json()) as Record<string, string> };
};
const sign = async (name: string, expiresIn = 60) =>
  (await post(`/object/sign/${path(name)}`, { expiresIn })).json['signedURL'] ?? '';
const signUpload = async (name: string, headers: Record<string, string> = {}, as = ana) =>
  (await post(`/object/upload/sign/${path(name, as)}`, {}, as, headers)).json['url'] ?? '';
const tokenOf = (address: string) => new URL(address, 'http://x').searchParams.get('token') ?? '';
const open = async (address: string, method = 'GET', body?: string) => {
  const answer = await bench.ask(method, address, body === undefined ? {} : { body });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
};

describe('a signed address', () => {
  it('opens one file for anybody, until it expires', async () => {
    await keep('contrato final.txt');
    const address = await sign('contrato final.txt', 60);
    expect(address).toMatch(
      new RegExp(`^/object/sign/arquivos/${ana.id}/contrato final.txt\\?token=[\\w.-]+$`),
    );
    const file = await open(`${address}&download=contrato.txt`);
    expect([file.status, file.text]).toEqual([200, 'segredo']);
    expect(file.headers.get('content-disposition')).toContain('contrato.txt');
    expect(Date.parse(file.headers.get('expires') ?? '') - Date.now()).toBeLessThan(61_000);
    expect((await open(address, 'HEAD')).status).toBe(200);
    bench.advanceClock(61);
    const late = await open(address);
    expect([late.status, JSON.parse(late.text)]).toMatchObject([400, { code: 'InvalidJWT' }]);
    expect(late.text).not.toContain('segredo');
  });

  it('is made for many at once, and only for what the caller sees', async () => {
    await keep('a.txt', 'A');
    const paths = [`${ana.id}/a.txt`, `${ana.id}/falta.txt`];
    const mine = await post('/object/sign/arquivos', { expiresIn: 60, paths });
    expect(mine.json).toEqual([
      { error: null, path: paths[0], signedURL: expect.stringContaining('/object/sign/') },
      { error: expect.stringContaining('does not exist'), path: paths[1], signedURL: null },
    ]);
    expect((await open((mine.json as unknown as { signedURL: string }[])[0]?.signedURL ?? '')).text).toBe(
      'A',
    );
    const theirs = await post('/object/sign/arquivos', { expiresIn: 60, paths }, stranger);
    expect(theirs.json).toEqual(
      paths.map((hidden) => ({ error: expect.any(String), path: hidden, signedURL: null })),
    );
    for (const as of [stranger, bench.keyring.anonKey])
      expect((await post(`/object/sign/${path('a.txt')}`, { expiresIn: 60 }, as)).json).toMatchObject({
        code: 'NoSuchKey',
      });
  });

  it.each([
    {},
    { expiresIn: 0 },
    { expiresIn: -1 },
    { expiresIn: 1.5 },
    { expiresIn: '60' },
    { expiresIn: 1e18 },
    null,
  ])('is not made for %j', async (body) => {
    await keep('a.txt');
    const refused = await post(`/object/sign/${path('a.txt')}`, body);
    expect([refused.status, refused.json['statusCode']]).toEqual([400, '400']);
  });

  it('opens nothing else, and no other token passes for it', async () => {
    await keep('a.txt', 'A');
    await keep('b.txt', 'B');
    const [a, upload] = [tokenOf(await sign('a.txt')), tokenOf(await signUpload('c.txt'))];
    const [header, claims = ''] = a.split('.');
    const forged = { ...JSON.parse(Buffer.from(claims, 'base64url').toString()), url: path('b.txt') };
    const renamed = `${header}.${Buffer.from(JSON.stringify(forged)).toString('base64url')}.${a.split('.')[2]}`;
    const wrong = [
      `${path('b.txt')}?token=${a}`,
      `${path('b.txt')}?token=${renamed}`,
      `${path('a.txt')}?token=${a.slice(0, -3)}AAA`,
      `${path('a.txt')}?token=${upload}`,
      `${path('a.txt')}?token=${ana.token}`,
      `${path('a.txt')}?token=${bench.keyring.serviceRoleKey}`,
      `${path('a.txt')}?token=`,
      path('a.txt'),
    ];
    for (const address of wrong) {
      const refused = await open(`/object/sign/${address}`);
      expect([refused.status, refused.text.includes('"statusCode":"400"')]).toEqual([400, true]);
    }
    // Nor does it sign anybody in.
    for (const as of [a, upload])
      for (const way of [`/object/${path('a.txt')}`, `/object/info/${path('a.txt')}`])
        expect((await bench.ask('GET', way, { as })).status).toBe(400);
    expect((await open(`/object/upload/sign/${path('a.txt')}?token=${a}`, 'PUT', 'x')).status).toBe(400);
  });
});

describe('a signed address for an upload', () => {
  it('of the service’s own key writes a file that is nobody’s', async () => {
    const signed = await post('/object/upload/sign/fotos/de todos.png', {}, bench.keyring.serviceRoleKey);
    const headers = { 'content-type': 'image/png' };
    const sent = await bench.ask('PUT', signed.json['url'] ?? '', { body: 'x', headers });
    expect(sent.status).toBe(200);
    const { rows } = await bench.database.admin.query(
      `select owner_id from storage.objects where name = 'de todos.png'`,
    );
    expect(rows).toEqual([{ owner_id: null }]);
    const read = await post(
      '/object/sign/fotos/de todos.png',
      { expiresIn: 60 },
      bench.keyring.serviceRoleKey,
    );
    expect(await open(read.json['signedURL'] ?? '')).toMatchObject({ status: 200, text: 'x' });
  });

  it('takes one file from anybody in the name of who signed, once', async () => {
    const address = await signUpload('de fora.txt');
    const { status, text: answer } = await open(address, 'PUT', 'olá');
    expect([status, JSON.parse(answer)]).toEqual([200, { Key: path('de fora.txt') }]);
    const { rows } = await bench.database.admin.query(
      `select owner_id from storage.objects where name like '%/de fora.txt'`,
    );
    expect(rows).toEqual([{ owner_id: ana.id }]);
    expect(JSON.parse((await open(address, 'PUT', 'de novo')).text)).toMatchObject({ statusCode: '409' });
    expect(await (await bench.ask('GET', `/object/${path('de fora.txt')}`, { as: ana })).text()).toBe('olá');
  });

  it('ends with the session that signed it, while a signed download is the account’s', async () => {
    const session = randomUUID();
    await bench.database.admin.query('insert into auth.sessions (id, user_id) values ($1, $2)', [
      session,
      ana.id,
    ]);
    const exp = Math.floor(Date.now() / 1000) + 3600;
    const claims = { sub: ana.id, role: 'authenticated', session_id: session, iat: exp - 3600, exp };
    const inSession = { id: ana.id, token: await bench.keyring.signAccessToken(claims) };
    await keep('lido.txt');
    const [before, late] = [
      await signUpload('antes.txt', {}, inSession),
      await signUpload('tarde.txt', {}, inSession),
    ];
    const read =
      (await post(`/object/sign/${path('lido.txt')}`, { expiresIn: 60 }, inSession)).json['signedURL'] ?? '';
    expect((await open(before, 'PUT', 'x')).status).toBe(200);
    await bench.database.admin.query('delete from auth.sessions where id = $1', [session]);
    expect(JSON.parse((await open(late, 'PUT', 'x')).text)).toMatchObject({ statusCode: '403' });
    expect(await signUpload('nunca.txt', {}, inSession)).toBe('');
    expect((await open(read)).status).toBe(200);
  });

  it('is worth what the session was that signed it, also where there is a second factor', async () => {
    const careful = await bench.createPerson();
    const session = randomUUID();
    const { admin } = bench.database;
    await admin.query('insert into auth.sessions (id, user_id) values ($1, $2)', [session, careful.id]);
    await admin.query(
      `insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
       values (gen_random_uuid(), $1, 'totp', 'verified', now(), now())`,
      [careful.id],
    );
    const at = async (aal: string): Promise<Person> => {
      const iat = Math.floor(Date.now() / 1000);
      const claims = {
        sub: careful.id,
        role: 'authenticated',
        session_id: session,
        aal,
        iat,
        exp: iat + 3600,
      };
      return { id: careful.id, token: await bench.keyring.signAccessToken(claims) };
    };
    expect(await signUpload('sem.txt', {}, await at('aal1'))).toBe('');
    const address = await signUpload('com.txt', { 'x-upsert': 'true' }, await at('aal2'));
    expect((await open(address, 'PUT', 'x')).status).toBe(200);
    await admin.query('delete from auth.sessions where id = $1', [session]);
    expect(JSON.parse((await open(address, 'PUT', 'y')).text)).toMatchObject({ code: 'AccessDenied' });
  });

  it('writes over a file only when it was signed for that, whatever the request says', async () => {
    await keep('fixo.txt', 'antes');
    expect(await signUpload('fixo.txt')).toBe('');
    const once = await signUpload('outro.txt');
    await keep('outro.txt', 'antes');
    const pushed = await bench.ask('PUT', once, { body: 'x', headers: { 'x-upsert': 'true' } });
    expect(pushed.status).toBe(400);
    const again = await signUpload('fixo.txt', { 'x-upsert': 'true' });
    for (const body of ['um', 'dois']) expect((await open(again, 'PUT', body)).status).toBe(200);
  });

  it('is made only by who may write, and is worth nothing for another path, after its time or once the account is closed', async () => {
    const blobs = await bench.countBlobs();
    for (const as of [stranger, bench.keyring.anonKey])
      expect((await post(`/object/upload/sign/${path('x.txt')}`, {}, as)).json).toMatchObject({
        code: 'AccessDenied',
      });
    const address = await signUpload('x.txt');
    const moved = `/object/upload/sign/${path('y.txt')}?token=${tokenOf(address)}`;
    expect(JSON.parse((await open(moved, 'PUT', 'x')).text)).toMatchObject({ code: 'InvalidSignature' });
    bench.advanceClock(7201);
    expect(JSON.parse((await open(address, 'PUT', 'x')).text)).toMatchObject({ code: 'InvalidJWT' });
    bench.advanceClock(0);
    const leaver = await bench.createPerson();
    const late = await signUpload('x.txt', {}, leaver);
    await bench.database.admin.query(
      `insert into private.account_closures (user_id, reason) values ('${leaver.id}', 'inactivity')`,
    );
    expect(JSON.parse((await open(late, 'PUT', 'x')).text)).toMatchObject({ code: 'AccessDenied' });
    expect(await bench.countBlobs()).toBe(blobs);
  });
});

it('a file is not given out by what an account has signed that was closed since then, even when it is opened again', async () => {
  const leaver = await bench.createPerson();
  const file = path('a.txt', leaver);
  await bench.ask('PUT', `/object/${file}`, { as: leaver, body: 'segredo' });
  const address = (await post(`/object/sign/${file}`, { expiresIn: 60 }, leaver)).json['signedURL'] ?? '';
  const [many] = (await (
    await bench.ask('POST', `/object/sign/arquivos`, {
      as: leaver,
      body: JSON.stringify({ expiresIn: 60, paths: [`${leaver.id}/a.txt`] }),
      headers: { 'content-type': 'application/json' },
    })
  ).json()) as [{ signedURL: string }];
  for (const way of [address, many.signedURL]) expect(await open(way)).toMatchObject({ text: 'segredo' });
  await bench.database.admin.query(
    `insert into private.account_closures (user_id, reason) values ('${leaver.id}', 'inactivity')`,
  );
  for (const way of [address, many.signedURL])
    expect(JSON.parse((await open(way)).text)).toMatchObject({ code: 'NoSuchKey' });
  await bench.database.admin.query(
    `update private.account_closures set reopened_at = now() + interval '1 second' where user_id = '${leaver.id}'`,
  );
  expect(JSON.parse((await open(address)).text)).toMatchObject({ code: 'NoSuchKey' });
});

it('after an account was opened again, what it signs from then on works, and what it signed before never again', async () => {
  const leaver = await bench.createPerson();
  const file = path('a.txt', leaver);
  await bench.ask('PUT', `/object/${file}`, { as: leaver, body: 'segredo' });
  const signAll = async (as: Person) => ({
    download: (await post(`/object/sign/${file}`, { expiresIn: 3600 }, as)).json['signedURL'] ?? '',
    upload: await signUpload('a.txt', { 'x-upsert': 'true' }, as),
  });
  // The service's clock stood a hundred seconds earlier when the first were signed; in between the account was closed and opened.
  bench.advanceClock(-100);
  const before = await signAll(leaver);
  bench.advanceClock(0);
  await bench.database.admin.query(
    `insert into private.account_closures (user_id, reason, closed_at, reopened_at)
     values ($1, 'inactivity', now() - interval '60 seconds', now() - interval '50 seconds')`,
    [leaver.id],
  );
  expect(JSON.parse((await open(before.download)).text)).toMatchObject({ code: 'NoSuchKey' });
  expect(JSON.parse((await open(before.upload, 'PUT', 'x')).text)).toMatchObject({ code: 'AccessDenied' });

  const after = await signAll(leaver);
  expect(await open(after.download)).toMatchObject({ status: 200, text: 'segredo' });
  expect((await open(after.upload, 'PUT', 'novo')).status).toBe(200);
  expect(await open(after.download)).toMatchObject({ text: 'novo' });
  // The old ones are not woken by the new.
  expect(JSON.parse((await open(before.download)).text)).toMatchObject({ code: 'NoSuchKey' });
});

it('an address is over at the very second it was signed to', async () => {
  let at = new Date('2026-03-01T12:00:00Z');
  const deps = { keyring: bench.keyring, now: () => at };
  const file = { bucket: 'arquivos', name: 'a.txt' };
  const caller = { role: 'authenticated', claims: { sub: ana.id } } as const;
  const download = await addresses.signDownload(deps, file, { caller, lifetimeS: 60 });
  const upload = await addresses.signUpload(deps, file, { caller, upsert: false, lifetimeS: 60 });
  at = new Date('2026-03-01T12:00:59.999Z');
  expect(addresses.verifyDownload(deps, download, file).expires).toEqual(new Date('2026-03-01T12:01:00Z'));
  expect(addresses.verifyUpload(deps, upload, file)).toMatchObject({ upsert: false });
  at = new Date('2026-03-01T12:01:00Z');
  const over = expect.objectContaining({ message: expect.stringContaining('"exp"') });
  expect(() => addresses.verifyDownload(deps, download, file)).toThrow(over);
  expect(() => addresses.verifyUpload(deps, upload, file)).toThrow(over);
});

it('an address speaks for whoever signed it, and says no more of them than it has to', async () => {
  const deps = { keyring: bench.keyring, now: () => new Date() };
  const file = { bucket: 'arquivos', name: 'a.txt' };
  const iat = expect.any(Number);
  const person = {
    role: 'authenticated',
    claims: { sub: ana.id, session_id: 's', email: 'a@b.test' },
  } as const;
  const operator = { role: 'service_role', claims: {} } as const;
  for (const [caller, claims] of [
    [person, { role: 'authenticated', sub: ana.id, iat }],
    [operator, { role: 'service_role', iat }],
  ] as const) {
    const download = await addresses.signDownload(deps, file, { caller, lifetimeS: 60 });
    const { signer } = addresses.verifyDownload(deps, download, file);
    expect(signer).toStrictEqual({ role: caller.role, claims });
    const upload = await addresses.signUpload(deps, file, { caller, upsert: true, lifetimeS: 60 });
    const session = caller === person ? { session_id: 's' } : {};
    expect(addresses.verifyUpload(deps, upload, file)).toStrictEqual({
      caller: { role: caller.role, claims: { ...claims, ...session } },
      upsert: true,
    });
  }
});

describe('a sender who goes away', () => {
  const send = async (head: string, body: string) => {
    const socket = connect(bench.port, '127.0.0.1').on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(`${head}\r\nHost: x\r\nAuthorization: Bearer ${ana.token}\r\n\r\n${body}`);
    return socket;
  };
  const form = '--b\r\nContent-Disposition: form-data; name=""; filename="a"\r\n\r\nmetade';

  it.each([
    ['in the middle of a body', 'Content-Type: text/plain\r\nContent-Length: 100000', 'metade'],
    ['in the middle of a chunk', 'Transfer-Encoding: chunked', '10\r\nmetade'],
    [
      'in the middle of a form',
      'Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 9000',
      form,
    ],
    ['before the first byte', 'Content-Length: 100000', ''],
  ])('%s leaves nothing', async (_when, headers, body) => {
    const blobs = await bench.countBlobs();
    const socket = await send(`POST /storage/v1/object/${path('partido.bin')} HTTP/1.1\r\n${headers}`, body);
    // The file that is being written is there from before its first byte on.
    await expect.poll(() => bench.countBlobs()).toBe(blobs + 1);
    socket.destroy();
    await expect.poll(() => bench.countBlobs()).toBe(blobs);
    const { rows } = await bench.database.admin.query(
      `select from storage.objects where name like '%/partido.bin'`,
    );
    expect(rows).toEqual([]);
  });

  it('who is refused and sends on and on is cut off', async () => {
    const length = 1_024 * 1_048_576;
    const head = `POST /storage/v1/object/arquivos/${stranger.id}/alheio.bin HTTP/1.1\r\nContent-Type: text/plain\r\nContent-Length: ${length}`;
    const socket = await send(head, '');
    socket.resume();
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const piece = Buffer.alloc(1_048_576);
    let sent = 0;
    while (!socket.destroyed && sent < length) {
      sent += piece.length;
      if (!socket.write(piece))
        await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
    }
    await closed;
    expect(sent).toBeGreaterThan(128 * 1_048_576);
    expect(sent).toBeLessThan(300 * 1_048_576);
  });

  it.each([
    ['ends before its last part', form, 'The form cannot be read'],
    [
      'has no file',
      '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n',
      'No content provided',
    ],
    ['is no form', 'nada disso', 'The form cannot be read'],
  ])('a form that %s is refused', async (_what, body, message) => {
    const blobs = await bench.countBlobs();
    const head = `POST /storage/v1/object/${path('torto.bin')} HTTP/1.1\r\nConnection: close\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${body.length}`;
    const answer = await text(await send(head, body));
    expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*"statusCode":"400"/);
    expect(answer).toContain(`"message":"${message}"`);
    expect(await bench.countBlobs()).toBe(blobs);
  });
});
