import { execFile } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadSecrets, loadServerSecrets, SecretsError } from './load-secrets.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'linkoteca-secrets-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('secrets', () => {
  it('are made on the first start, for their owner alone, and stay', () => {
    const data = join(folder, 'data');
    const first = loadSecrets(data);
    expect(first.jwtSecrets[0]?.length).toBeGreaterThanOrEqual(32);
    expect(loadSecrets(data)).toEqual(first);
    expect(statSync(join(data, 'secrets.json')).mode & 0o777).toBe(0o600);
    expect(readdirSync(data)).toEqual(['secrets.json']);
  });

  it('differ from installation to installation', () => {
    expect(loadSecrets(join(folder, 'a'))).not.toEqual(loadSecrets(join(folder, 'b')));
  });

  it('are closed again when a backup has left them open', () => {
    loadSecrets(folder);
    chmodSync(join(folder, 'secrets.json'), 0o644);
    loadSecrets(folder);
    expect(statSync(join(folder, 'secrets.json')).mode & 0o777).toBe(0o600);
  });

  it('are the same for processes that make them at the same moment', async () => {
    const script = `import { loadSecrets } from ${JSON.stringify(join(import.meta.dirname, 'load-secrets.ts'))};
      process.stdout.write(loadSecrets(${JSON.stringify(folder)}).jwtSecrets[0]);`;
    const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
    const secrets = (await Promise.all([run(), run(), run()])).map(({ stdout }) => stdout);
    expect(new Set(secrets).size).toBe(1);
    expect(readFileSync(join(folder, 'secrets.json'), 'utf8')).toContain(secrets[0]);
  });

  it('are made by a command only where the embedded database is not there yet', () => {
    const settings = { jwtSecrets: [], dataFolder: folder, databaseUrl: undefined };
    const external = { ...settings, databaseUrl: 'postgres://localhost/linkoteca' };
    const missing = `Em ${folder} não há secrets.json: dê ao comando o JWT_SECRET do servidor, ou o DATA_DIR dele.`;
    // Another machine's server may be there.
    expect(() => loadServerSecrets(external)).toThrow(
      `${missing} Se o banco é novo, inicie o servidor uma vez antes.`,
    );
    expect(readdirSync(folder)).toEqual([]);
    const made = loadServerSecrets(settings);
    expect(loadServerSecrets(external)).toEqual(made);
    expect(loadServerSecrets({ ...settings, jwtSecrets: ['given'] })).toEqual(['given']);

    rmSync(join(folder, 'secrets.json'));
    mkdirSync(join(folder, 'postgres/cluster'), { recursive: true });
    writeFileSync(join(folder, 'postgres/cluster/PG_VERSION'), '18\n');
    expect(() => loadServerSecrets(settings)).toThrow(new SecretsError(missing));
    expect(readdirSync(folder)).toEqual(['postgres']);
  });

  it('that a backup of several has brought all verify, and the first signs', () => {
    const [now, before] = ['n'.repeat(32), 'b'.repeat(32)];
    writeFileSync(
      join(folder, 'secrets.json'),
      JSON.stringify({ jwtSecret: now, earlierJwtSecrets: [before] }),
    );
    expect(loadSecrets(folder).jwtSecrets).toEqual([now, before]);
  });

  it.each([
    '',
    '{}',
    '{"jwtSecret":"curto"}',
    'not json',
    `{"jwtSecret":"${'n'.repeat(32)}","earlierJwtSecrets":["curto"]}`,
    `{"jwtSecret":"${'n'.repeat(32)}","earlierJwtSecrets":"x"}`,
  ])('that are damaged (%s) are not replaced in silence', (content) => {
    writeFileSync(join(folder, 'secrets.json'), content);
    expect(() => loadSecrets(folder)).toThrow(/secrets\.json está danificado: restaure-o/);
    expect(readFileSync(join(folder, 'secrets.json'), 'utf8')).toBe(content);
  });

  it('that cannot be kept name the real cause', () => {
    writeFileSync(join(folder, 'file'), '');
    for (const place of ['file', 'file/below'])
      expect(() => loadSecrets(join(folder, place))).toThrow(/há um arquivo: mova-o/);
  });
});
