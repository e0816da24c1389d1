import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PROJECT_FOLDER } from './project-folders.ts';

const read = (path: string) => readFileSync(join(PROJECT_FOLDER, path), 'utf8');
const rows = read('docs/operations.md')
  .split('## At three in the morning')[1]
  ?.split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| ---') && !line.startsWith('| what'))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, ''))) as string[][];

const listMessages = (cell: string): string[] =>
  [...cell.matchAll(/"([^"]+)"/g)].map(([, message = '']) => message).filter((text) => text.includes(' '));

/** Tests quote what they are about, seldom all of it: any three words that follow each other. */
function listQuotes(message: string): string[] {
  const words = message.replaceAll('…', '').trim().split(/\s+/);
  const many = Math.min(3, words.length);
  return words.slice(many - 1).map((_, at) => words.slice(at, at + many).join(' '));
}

/** Test files may write a message as a pattern. */
const tests = globSync('{apps,packages,conformance}/**/*.test.ts', {
  cwd: PROJECT_FOLDER,
  exclude: (name) => String(name).endsWith('node_modules'),
})
  .filter((path) => !path.endsWith('fault-table.test.ts'))
  .map((path) => read(path).replaceAll('\\', ''))
  .join('\n');

let database: ThrowawayDatabase;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());

it('has rows', () => {
  expect(rows.length).toBeGreaterThan(20);
  expect(rows.flatMap(([seen = '']) => listMessages(seen)).length).toBeGreaterThan(12);
});

it.each(rows.flatMap(([seen = '']) => listMessages(seen)))('a test meets the message "%s"', (message) => {
  expect(listQuotes(message).filter((words) => tests.includes(words))).not.toEqual([]);
});

const STATEMENT = /`((?:select|delete|update|vacuum) [^`]{20,})`/g;
const statements = [...read('docs/operations.md').matchAll(STATEMENT)].map(([, text = '']) => text);

it.each(statements.filter((text) => !/…|\bN\b/.test(text)))(
  'the database’s owner may run: %s',
  async (text) => {
    await database.admin.query(text);
  },
);
