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
  const added = [...found].filter((line) => !expected.has(line));
  const ownTables = new Set(added.map(nameOwnTable));
  return {
    missing: EXPECTED.filter((line) => !found.has(line)),
    extra: added.filter((line) => !isForOwnFilesOrRooms(line) && !ownTables.has(nameTable(line))),
  };
}

const TABLE =
  /^(?:(?:grant|create policy) .+? on (?:table )?|alter table |table )(public\.(?:\w+|"[^"]+"))(?: |$)/;

/** The table that a line is about. */
const nameTable = (line: string): string => TABLE.exec(line)?.[1] ?? '';

/** A table that no migration makes, closed to everybody but for the operator's own policies: row-level security is on. */
function nameOwnTable(line: string): string | undefined {
  return line.endsWith(' enable row level security') ? nameTable(line) : undefined;
}

const PLATFORM_POLICY =
  /^create policy .+? on (storage\.objects|storage\.buckets|realtime\.messages) as (permissive|restrictive) for (.+)$/;

/**
 * Policies for buckets and private channels of the operator's own, as `docs/operations.md` has them. One that names no bucket or topic
 * opens people's as well.
 */
function isForOwnFilesOrRooms(line: string): boolean {
  const [, table, kind, terms = ''] = PLATFORM_POLICY.exec(line) ?? [];
  if (table === undefined) return false;
  if (kind === 'restrictive' || table === 'storage.buckets') return true;
  const expressions = terms.split(/ (?:using|with check) \(/).slice(1);
  if (table === 'realtime.messages') return expressions.every((text) => /\btopic\b/.test(text));
  return expressions.every((text) => text.includes('bucket_id') && !text.includes(`'arquivos'`));
}
