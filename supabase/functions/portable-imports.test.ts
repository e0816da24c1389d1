import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const FUNCTIONS = import.meta.dirname;
const ROOT = resolve(FUNCTIONS, '../..');
const names = globSync('*/index.ts', { cwd: FUNCTIONS }).map((path) => dirname(path));

type Manifest = {
  readonly imports?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
};
const read = (path: string): Manifest => JSON.parse(readFileSync(path, 'utf8'));

/** Every file that the platform's bundler would take along, and every bare name it would have to look up. */
function walk(entry: string) {
  const files = new Set<string>();
  const bare = new Set<string>();
  const visit = (path: string) => {
    if (files.has(path)) return;
    files.add(path);
    for (const { fileName } of ts.preProcessFile(readFileSync(path, 'utf8')).importedFiles) {
      if (fileName.startsWith('.')) visit(resolve(dirname(path), fileName));
      else bare.add(fileName);
    }
  };
  visit(entry);
  return { files: [...files], bare: [...bare] };
}

describe.each(names)('the hosted platform can bundle %s', (name) => {
  const folder = join(FUNCTIONS, name);
  const { files, bare } = walk(join(folder, 'index.ts'));
  const imports = read(join(folder, 'deno.json')).imports ?? {};

  test('from files that exist, of the functions and the domain alone', () => {
    for (const path of files) {
      expect(existsSync(path), path).toBe(true);
      expect(relative(ROOT, path)).toMatch(/^(supabase\/functions|packages\/domain\/src)\/.+\.ts$/);
    }
  });

  test('with every package named in its deno.json, and no other', () => {
    expect(bare.sort()).toEqual(Object.keys(imports).sort());
  });

  test('in the versions that are tested here', () => {
    const { devDependencies = {} } = read(join(ROOT, 'package.json'));
    for (const [packageName, specifier] of Object.entries(imports))
      expect(specifier).toBe(`npm:${packageName}@${devDependencies[packageName]}`);
  });

  test('and it is declared, with a word on whether callers need a token', () => {
    const config = readFileSync(join(ROOT, 'supabase/config.toml'), 'utf8');
    const section = config.split(`[functions.${name}]`)[1]?.split('\n[')[0] ?? '';
    expect(section).toMatch(/^verify_jwt = (?:true|false)$/m);
    expect(section).toContain(`entrypoint = "./functions/${name}/index.ts"`);
  });
});
