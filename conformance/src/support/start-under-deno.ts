import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import ts from 'typescript';

const REPOSITORY = resolve(import.meta.dirname, '../../..');

export type FunctionUnderDeno = { readonly url: string; stop(): Promise<void> };

/**
 * Runs a function in the runtime that the hosted platform is built on, from a folder with exactly the files that its command line would
 * send: the entry point, what it imports by relative paths, and `deno.json`. Packages come from `node_modules`, in the same versions.
 */
export async function startUnderDeno(
  name: string,
  settings: Readonly<Record<string, string>>,
): Promise<FunctionUnderDeno> {
  const folder = mkdtempSync(join(tmpdir(), 'lk-deno-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const entry = `supabase/functions/${name}/index.ts`;
  const config = `supabase/functions/${name}/deno.json`;
  for (const path of [config, ...listImported(entry)]) cpSync(join(REPOSITORY, path), join(folder, path));
  writeFileSync(join(folder, 'package.json'), '{}');
  symlinkSync(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'));

  const flags = ['--allow-net', '--allow-env', '--allow-sys', '--no-remote', '--cached-only', '--no-lock'];
  const child = spawn(findDeno(), ['run', ...flags, '--node-modules-dir=manual', '--config', config, entry], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'] ?? '',
      DENO_DIR: join(folder, '.deno'),
      DENO_NO_UPDATE_CHECK: '1',
      DENO_SERVE_ADDRESS: 'tcp:127.0.0.1:0',
      NO_COLOR: '1',
      ...settings,
    },
  });
  const ended = new Promise<void>((end) => child.once('close', () => end()));
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
    remove();
  };
  let said = '';
  // Deno tells its address on standard error, and its faults as well.
  for (const output of [child.stdout, child.stderr]) output.setEncoding('utf8');
  const address = Promise.withResolvers<string>();
  for (const output of [child.stdout, child.stderr])
    createInterface({ input: output }).on('line', (line) => {
      said += `${line}\n`;
      const [, url] = /Listening on (http:\/\/\S+)/.exec(line) ?? [];
      if (url !== undefined) address.resolve(url.replace(/\/$/, ''));
    });
  void ended.then(() => address.reject(new Error(`${name} does not run under Deno: ${said}`)));
  try {
    return { url: await address.promise, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The program itself: what the package `deno` starts would outlive it. @throws where there is none for this platform. */
function findDeno(): string {
  const library = process.platform === 'linux' ? '-glibc' : '';
  const place = `@deno/${process.platform}-${process.arch}${library}/package.json`;
  return join(dirname(createRequire(import.meta.url).resolve(place)), 'deno');
}

/** The entry point and all it imports by relative paths, relative to the repository. */
function listImported(entry: string): readonly string[] {
  const found = new Set<string>();
  const visit = (path: string) => {
    if (found.has(path)) return;
    found.add(path);
    for (const { fileName } of ts.preProcessFile(readFileSync(path, 'utf8')).importedFiles)
      if (fileName.startsWith('.')) visit(resolve(dirname(path), fileName));
  };
  visit(join(REPOSITORY, entry));
  return [...found].map((path) => relative(REPOSITORY, path));
}
