import { readFileSync } from 'node:fs';
import { type CatalogueReader, listRights } from './list-rights.ts';

export type RightsDifference = {
  /** What the migrations make and the database lacks. */
  readonly missing: readonly string[];
  /** What the database allows and no migration has made. */
  readonly extra: readonly string[];
};

/** What all migrations of this version make. Written by `generate-rights.ts`, kept true by a test. */
const EXPECTED = readFileSync(new URL('./expected-rights.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');

/** Where the rights of a database with exactly this version's migrations differ from what the migrations make: a restore, or a hand. */
export async function compareRights(client: CatalogueReader): Promise<RightsDifference> {
  const found = new Set(await listRights(client));
  const expected = new Set(EXPECTED);
  return {
    missing: EXPECTED.filter((line) => !found.has(line)),
    extra: [...found].filter((line) => !expected.has(line) && !isForOwnBucket(line)),
  };
}

const STORAGE_POLICY =
  /^create policy .+? on storage\.(objects|buckets) as (permissive|restrictive) for (.+)$/;

/** Policies for a bucket of the operator's own, as `docs/operations.md` has them. One that names no bucket, or people's, opens their files. */
function isForOwnBucket(line: string): boolean {
  const [, table, kind, terms = ''] = STORAGE_POLICY.exec(line) ?? [];
  if (table === undefined) return false;
  if (kind === 'restrictive' || table === 'buckets') return true;
  const expressions = terms.split(/ (?:using|with check) \(/).slice(1);
  return expressions.every((text) => text.includes('bucket_id') && !text.includes(`'arquivos'`));
}
