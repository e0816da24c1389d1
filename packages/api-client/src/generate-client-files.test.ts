import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generateClientFiles } from './generate-client-files.ts';

const pathOf = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'api-client-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function readAll(root: string): Promise<Record<string, string>> {
  const names = await readdir(root, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(
    files.map(async (file) => [file.slice(root.length), await readFile(file, 'utf8')]),
  );
  return Object.fromEntries(texts);
}

test('what is kept is what the document makes: run generate-api-client.ts', async () => {
  const again = join(folder, 'again');
  await generateClientFiles(pathOf('openapi.json'), again);
  const kept = await readAll(pathOf('generated'));
  expect(Object.keys(kept).length).toBeGreaterThan(20);
  expect(await readAll(again)).toEqual(kept);
});

test('another document makes another client', async () => {
  const document = JSON.parse(await readFile(pathOf('openapi.json'), 'utf8'));
  document.paths['/links'].get.operationId = 'listEveryLink';
  const changed = join(folder, 'changed.json');
  await writeFile(changed, JSON.stringify(document));
  await generateClientFiles(changed, join(folder, 'changed'));
  expect(await readFile(join(folder, 'changed/sdk.gen.js'), 'utf8')).toContain('export const listEveryLink');
});
