import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A copy of the repository that may be broken. */
export type MutatedTree = { readonly folder: string; remove(): void };

/**
 * Copies what Git knows or would take; never touches the original. The installed packages are linked, except for the links between
 * workspaces, which have to lead into the copy.
 */
export function copyTree(repository: string): MutatedTree {
  const folder = mkdtempSync(join(tmpdir(), 'linkoteca-mutation-'));
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: repository,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  for (const path of new Set(listed.split('\0').filter((each) => each !== ''))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(repository, path), join(folder, path), { verbatimSymlinks: true });
  }
  linkPackages(repository, folder);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      remove();
      process.exit(1);
    });
  return { folder, remove };
}

function linkPackages(repository: string, folder: string): void {
  mkdirSync(join(folder, 'node_modules'));
  for (const name of readdirSync(join(repository, 'node_modules'))) {
    const [from, to] = [join(repository, 'node_modules', name), join(folder, 'node_modules', name)];
    if (name === '@linkoteca') cpSync(from, to, { recursive: true, verbatimSymlinks: true });
    // Vite keeps its caches in a folder of that kind; the copy has its own.
    else if (!name.startsWith('.') || name === '.bin') symlinkSync(from, to);
  }
  const { workspaces } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
  for (const workspace of (workspaces as string[]).flatMap((pattern) => expand(repository, pattern)))
    if (readdirSync(join(repository, workspace)).includes('node_modules'))
      symlinkSync(join(repository, workspace, 'node_modules'), join(folder, workspace, 'node_modules'));
}

function expand(repository: string, pattern: string): string[] {
  if (!pattern.endsWith('/*')) return [pattern];
  const parent = pattern.slice(0, -2);
  return readdirSync(join(repository, parent)).map((name) => `${parent}/${name}`);
}

export const readSource = (folder: string, file: string): string => readFileSync(join(folder, file), 'utf8');

export const writeSource = (folder: string, file: string, text: string): void =>
  writeFileSync(join(folder, file), text);
