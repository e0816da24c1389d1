import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { tryFileLock } from './file-lock.ts';
import { createTemporaryFolder } from './test-support/create-temporary-folder.ts';

vi.mock('node:child_process', async (importOriginal) => {
  const original = await importOriginal<typeof import('node:child_process')>();
  return { ...original, spawnSync: vi.fn(original.spawnSync) };
});

let folder: string;
let file: string;
beforeEach(() => {
  const { path, remove } = createTemporaryFolder();
  onTestFinished(remove);
  folder = path;
  file = join(path, 'file');
  writeFileSync(file, 'kept');
});

/** What flock(1) of a lesser system answers. */
function answer(result: Partial<SpawnSyncReturns<string>>): void {
  vi.mocked(spawnSync).mockReturnValueOnce(result as never);
}

describe('a lock', () => {
  it.each([
    ['a file', () => file],
    ['a folder', () => folder],
  ])('on %s is held by one alone, also within a process, until it is given up once', (_what, place) => {
    const first = tryFileLock(place());
    expect(first).toBeDefined();
    expect(tryFileLock(place())).toBeUndefined();
    first?.release();
    const second = tryFileLock(place());
    expect(second).toBeDefined();
    // Must not close the second's, which may have the same number.
    first?.release();
    expect(tryFileLock(place())).toBeUndefined();
    second?.release();
    expect(readFileSync(file, 'utf8')).toBe('kept');
  });

  it('of a file that is not there is an error', () => {
    expect(() => tryFileLock(join(folder, 'nothing'))).toThrow('ENOENT');
  });
});

describe.runIf(process.platform === 'linux')('a system', () => {
  it('without flock is refused, with what to install', () => {
    answer({ status: null, error: Object.assign(new Error('spawnSync flock ENOENT'), { code: 'ENOENT' }) });
    expect(() => tryFileLock(file)).toThrow(
      /^O programa "flock" \(do pacote util-linux\) não foi encontrado: instale-o/,
    );
  });

  it('whose files cannot be locked is refused, with the reason', () => {
    answer({ status: 71, stderr: 'flock: 3: No locks available\n' });
    expect(() => tryFileLock(file)).toThrow(
      `O sistema de arquivos de ${file} não aceita travas (flock: 3: No locks available): escolha outra pasta`,
    );
  });
});
