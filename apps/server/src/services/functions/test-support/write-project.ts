import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export type WrittenProject = {
  readonly path: string;
  /** Adds or replaces a file. */
  write(file: string, text: string): void;
  remove(): void;
};

/** A project of its own, far from this one: what is in it is all that its functions have. */
export function writeProject(files: Readonly<Record<string, string>>): WrittenProject {
  const path = mkdtempSync(join(tmpdir(), 'linkoteca-project-'));
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, file), text);
  };
  for (const [file, text] of Object.entries(files)) write(file, text);
  return { path, write, remove: () => rmSync(path, { recursive: true, force: true }) };
}
