import { asServiceRole, type Database } from '../../../kernel/database.ts';
import { buildSchemaCache } from './build-schema-cache.ts';
import { type Catalogue, READ_CATALOGUE } from './catalogue-queries.ts';
import type { SchemaCache } from './schema-cache.ts';

/** Holds the newest schema cache. */
export type SchemaSource = {
  /** The cache, read now if none was read yet. @throws what the database threw. */
  current(): SchemaCache | Promise<SchemaCache>;
  /** Reads it anew. Callers that come while one reading runs share the one that follows it. */
  reload(): Promise<SchemaCache>;
};

export function createSchemaSource(db: Database, schemas: readonly string[]): SchemaSource {
  let cache: SchemaCache | undefined;
  let version = 0;
  let running: Promise<SchemaCache> | undefined;
  let next: Promise<SchemaCache> | undefined;

  async function read(): Promise<SchemaCache> {
    const { rows } = await asServiceRole(db, 'read the schema of the table API', (tx) =>
      tx.query<{ catalogue: string }>({ text: READ_CATALOGUE, values: [schemas] }),
    );
    version += 1;
    cache = buildSchemaCache(JSON.parse(rows[0]?.catalogue ?? '') as Catalogue, version);
    return cache;
  }

  function start(): Promise<SchemaCache> {
    running = read().finally(() => {
      running = undefined;
    });
    return running;
  }

  function reload(): Promise<SchemaCache> {
    if (running === undefined) return start();
    // The reading under way may have begun before the change: one more, shared by all who ask meanwhile.
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return start();
      });
    return next;
  }

  return { current: () => cache ?? running ?? start(), reload };
}
