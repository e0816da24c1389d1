import { appendFileSync } from 'node:fs';
import pg from 'pg';

/**
 * A setup file of vitest for the one run that learns which test file touches what: databases are kept when a test drops them, and the
 * file that each belongs to is written down. Postgres has counted what happened in each.
 */
type Query = (text: unknown, ...rest: unknown[]) => unknown;
type Holder = { keepsDatabases?: boolean; __vitest_worker__?: { filepath?: string } };

const holder = globalThis as Holder;
const target = process.env['LINKOTECA_KEPT_DATABASES'];

if (target !== undefined && holder.keepsDatabases !== true) {
  holder.keepsDatabases = true;
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const original = prototype.query;
  prototype.query = function query(this: unknown, text: unknown, ...rest: unknown[]) {
    if (typeof text === 'string') {
      if (/^drop database test_\w+ with \(force\)$/.test(text)) return Promise.resolve({ rows: [] });
      const [, created] = /^create database (test_\w+) template/.exec(text) ?? [];
      if (created !== undefined)
        appendFileSync(target, `${holder.__vitest_worker__?.filepath ?? ''}\t${created}\n`);
    }
    return original.call(this, text, ...rest);
  };
}
