import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeFailure } from './describe-failure.ts';
import { PROJECT_FOLDER } from './project-folders.ts';

const failure = (code: string, message = code, more: object = {}) =>
  Object.assign(new Error(message), { code, ...more });

/** What listening fails with: the system's own error. */
function listen(port: number, host: string): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const server = createServer().once('error', resolve);
  server.listen(port, host, () => server.close(() => resolve(undefined)));
  return promise;
}

describe('an address to listen on', () => {
  it('that another machine has, or that nobody knows, is named as HOST', async () => {
    const foreign = await listen(0, '192.0.2.1');
    expect(describeFailure(foreign, { host: '192.0.2.1', port: 3000 })).toBe(
      'HOST (192.0.2.1) não é um endereço deste computador: use um dele, localhost ou 0.0.0.0.',
    );
    const unknown = failure('ENOTFOUND', 'getaddrinfo ENOTFOUND nada.invalid', {
      syscall: 'getaddrinfo',
      hostname: 'nada.invalid',
    });
    expect(describeFailure(unknown, { host: 'nada.invalid', port: 3000 })).toBe(
      'O nome de HOST (nada.invalid) não é conhecido: use um endereço deste computador, localhost ou 0.0.0.0.',
    );
  });

  it('that is closed to the account says which ports are open to it', () => {
    const error = failure('EACCES', 'listen EACCES', { syscall: 'listen' });
    expect(describeFailure(error, { host: 'localhost', port: 80 })).toMatch(
      /^Sem permissão para usar a porta 80:/,
    );
  });
});

describe('a file that cannot be written', () => {
  const settings = { dataFolder: '/data', databaseUrl: 'postgres://ana@db.example.com/links' };

  it.each([
    ['ENOSPC', 'está cheio: libere espaço'],
    ['EDQUOT', 'cota de disco'],
    ['EROFS', 'só de leitura'],
    ['EACCES', 'Sem permissão de escrita'],
  ])('(%s) is no fault of the database', (code, words) => {
    for (const error of [
      failure(code, `${code}: mkdir '/data/storage'`, { syscall: 'mkdir', path: '/data/storage' }),
      failure(code, `${code}: write`, { syscall: 'write' }),
    ]) {
      const line = describeFailure(error, settings);
      expect(line).toContain(words);
      expect(line).toContain('/data');
      expect(line).not.toContain('DATABASE_URL');
    }
  });

  it('because a file is in its folder’s place is told as it is', () => {
    const folder = mkdtempSync(join(tmpdir(), 'linkoteca-failure-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, 'file'), '');
    let thrown: unknown;
    try {
      mkdirSync(join(folder, 'file', 'storage'));
    } catch (error) {
      thrown = error;
    }
    expect(describeFailure(thrown, settings)).toContain('há um arquivo');
  });
});

/** Says to whoever connects what Postgres would. @returns what the driver makes of it. */
async function meet(
  answer: (socket: Socket) => void,
  address: (port: number) => string,
  connectionTimeoutMillis = 20_000,
): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      // An SSLRequest is eight bytes long.
      if (chunk.length === 8) socket.write('N');
      else answer(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const databaseUrl = address(port);
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis });
  client.on('error', () => undefined);
  const error = await client.connect().catch((reason: unknown) => reason);
  await client.end().catch(() => undefined);
  server.close();
  return describeFailure(error, { databaseUrl, dataFolder: '/data' });
}

const refuse = (code: string, message: string) => (socket: Socket) => {
  const fields = Buffer.from(`SFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  socket.end(Buffer.concat([head, fields]));
};

describe('an external database', () => {
  const plain = (port: number) => `postgres://ana:segredo@127.0.0.1:${port}/links`;

  it.each([
    ['28P01', 'password authentication failed for user "ana"', 'recusou o usuário ou a senha'],
    [
      '28000',
      'no pg_hba.conf entry for host "1.2.3.4", user "ana", no encryption',
      'só aceita conexões cifradas: acrescente ?sslmode=require',
    ],
    ['28000', 'no pg_hba.conf entry for host "1.2.3.4", user "ana", SSL encryption', 'pg_hba.conf dele'],
    ['3D000', 'database "links" does not exist', 'não existe: crie-o'],
    ['53300', 'sorry, too many clients already', 'max_connections'],
    ['53100', 'could not extend file', 'disco do banco de dados'],
    ['57P03', 'the database system is starting up', 'em instantes'],
    ['42501', 'permission denied for database links', 'ser dono do banco'],
    ['XX000', 'something else', 'something else'],
  ])('that answers %s (%s)', async (code, message, words) => {
    const line = await meet(refuse(code, message), plain);
    expect(line).toContain(words);
    expect(line).toMatch(/127\.0\.0\.1:\d+\/links/);
    expect(line).not.toContain('segredo');
  });

  it('that has no TLS, or says nothing, is told apart', async () => {
    const secure = await meet(
      () => undefined,
      (port) => `${plain(port)}?sslmode=require`,
    );
    expect(secure).toContain('não fala TLS');
    const silent = await meet(() => undefined, plain, 300);
    expect(silent).toMatch(/^O banco de dados .* não responde \(.*\): .*firewall\.$/);
  });

  it.each([
    [failure('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'), 'sslrootcert'],
    [failure('UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify'), 'sslrootcert'],
    [failure('CERT_HAS_EXPIRED', 'certificate has expired'), 'fora da validade'],
    [failure('ERR_TLS_CERT_ALTNAME_INVALID', 'Hostname does not match'), 'é de outro nome'],
    [failure('ENOTFOUND', 'getaddrinfo ENOTFOUND db', { syscall: 'getaddrinfo' }), 'não foi encontrado'],
    [failure('ECONNREFUSED', 'connect ECONNREFUSED', { syscall: 'connect' }), 'ninguém atende'],
    [
      failure('ENOENT', 'connect ENOENT /x/.s.PGSQL.5432', { syscall: 'connect', path: '/x' }),
      'ninguém atende',
    ],
    [new Error('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string'), 'pede uma senha'],
    [new AggregateError([], ''), 'sem resposta'],
  ])('that fails with %s', (error, words) => {
    const line = describeFailure(error, { databaseUrl: 'postgres://ana:segredo@db/links', host: '0.0.0.0' });
    expect(line).toContain(words);
    expect(line).toContain('db/links');
  });
});

it('what nobody foresaw is told as it is, in one line', () => {
  expect(describeFailure(new Error('odd'), { dataFolder: PROJECT_FOLDER })).toBe('Falha inesperada: odd');
  expect(describeFailure('odd')).toBe('Falha inesperada: odd');
});
