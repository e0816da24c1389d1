import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { credentialsPath, readCredentials, readInstallation, saveCredentials } from './credentials.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'linkoteca-credentials-'));
});
afterEach(() => rm(folder, { recursive: true }));

const environment = () => ({ XDG_CONFIG_HOME: folder });
const credentials = { url: 'https://links.test', token: 'lk_pat_x' };

describe('credentials', () => {
  it('are kept for their owner alone, also over a file that others could read', async () => {
    const path = await saveCredentials(environment(), credentials);
    await chmod(path, 0o644);
    await expect(readCredentials(environment())).rejects.toThrow(/chmod 600/);
    await saveCredentials(environment(), credentials);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readCredentials(environment())).toEqual(credentials);
  });

  it('come from the environment first', async () => {
    await saveCredentials(environment(), credentials);
    const given = { ...environment(), LINKOTECA_URL: 'http://localhost:3000/', LINKOTECA_TOKEN: 'y' };
    expect(await readCredentials(given)).toEqual({ url: 'http://localhost:3000', token: 'y' });
  });

  it('that are not there or damaged are said to be', async () => {
    await expect(readCredentials(environment())).rejects.toThrow(/login/);
    await saveCredentials(environment(), credentials);
    await writeFile(credentialsPath(environment()), '{"url":1}');
    await expect(readCredentials(environment())).rejects.toThrow(/danificado/);
  });

  it.each(['x', 'ftp://a.test', 'https://u:p@a.test', 'https://a.test/?x=1', 'javascript:alert(1)'])(
    'open nothing at %s',
    (text) => {
      expect(() => readInstallation(text)).toThrow(/endereço/);
    },
  );
});
