import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach } from 'vitest';

/**
 * A setup file of vitest for runs with mutants: each test file clones its databases from the template of its own mutant, so that one
 * run tries many. After the first failure of a file, which is all that is asked, its other tests are left.
 */
type Query = (text: unknown, ...rest: unknown[]) => unknown;
type Holder = { redirectsTemplate?: boolean; __vitest_worker__?: { filepath?: string } };

const holder = globalThis as Holder;
const assignments = process.env['LINKOTECA_MUTANT_TEMPLATES'] ?? '';

/** @returns the name of the template that the running file is to use, or null for the one it asks for. */
function findTemplate(): string | null {
  const file = relative(process.cwd(), holder.__vitest_worker__?.filepath ?? '');
  const key = `${process.env['LINKOTECA_LANE']} ${file}`;
  return existsSync(assignments) ? (JSON.parse(readFileSync(assignments, 'utf8'))[key] ?? null) : null;
}

if (holder.redirectsTemplate !== true) {
  holder.redirectsTemplate = true;
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const original = prototype.query;
  prototype.query = function query(this: unknown, text: unknown, ...rest: unknown[]) {
    const [, created] = (typeof text === 'string' && /^create database (test_\w+) template/.exec(text)) || [];
    const template = created === undefined ? null : findTemplate();
    return original.call(
      this,
      template === null ? text : `create database ${created} template ${template}`,
      ...rest,
    );
  };
}

let hasFailed = false;
beforeEach(({ skip }) => {
  if (hasFailed) skip();
});
afterEach(({ task }) => {
  if (task.result?.state === 'fail') hasFailed = true;
});
