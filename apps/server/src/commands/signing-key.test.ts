import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let folder: string;
let path: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'linkoteca-signing-key-'));
  path = join(folder, 'chaves.json');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const COMMAND = fileURLToPath(new URL('signing-key.ts', import.meta.url));

function run(...args: readonly string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [COMMAND, ...args], (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, output: `${stdout}${stderr}` }),
    );
  });
}

type Kept = {
  readonly kid: string;
  readonly d?: string;
  readonly k?: string;
  readonly key_ops: readonly string[];
};
const readKept = () => JSON.parse(readFileSync(path, 'utf8')) as readonly Kept[];
const states = () => readKept().map(({ key_ops }) => key_ops.includes('sign'));

describe('npm run signing-key', () => {
  it('makes a file for its owner alone, adds, rotates and takes out, and never prints a key', async () => {
    const made = await run(path);
    expect(made, made.output).toMatchObject({ code: 0 });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    chmodSync(path, 0o644);
    const added = await run(path, '--algorithm', 'rs256');
    expect(states()).toEqual([true, false]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const rotated = await run(path, '--rotate');
    expect(states()).toEqual([false, true]);
    const [old, signing] = readKept();
    expect(await run(path, '--remove', signing?.kid ?? '')).toMatchObject({ code: 1 });
    const before = readKept();
    const removed = await run(path, '--remove', old?.kid ?? '');
    expect(readKept()).toEqual(before.slice(1));
    const said = [made, added, rotated, removed].map(({ output }) => output).join('');
    for (const { d = '' } of before) expect(said).not.toContain(d);
    expect(readdirSync(folder)).toEqual(['chaves.json']);
  });

  it('leaves a file alone that it does not understand', async () => {
    const foreign = join(folder, 'outro.json');
    writeFileSync(foreign, '{"algo": 1}');
    expect(await run(foreign)).toMatchObject({ code: 1, output: expect.stringContaining('lista de JWKs') });
    expect(readFileSync(foreign, 'utf8')).toBe('{"algo": 1}');
    rmSync(foreign);
  });

  it.each([[[]], [['a', 'b']], [['a', '--outra']], [['a.json', '--algorithm', 'HS512']]])(
    'says how it is used: %j',
    async (args) => {
      expect(await run(...args)).toMatchObject({
        code: 1,
        output: expect.stringContaining('Uso: npm run signing-key'),
      });
    },
  );
});
