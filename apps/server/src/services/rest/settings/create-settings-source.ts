import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';
import { asLoginRole, type Database } from '../../../kernel/database.ts';
import { isDatabaseUnavailable } from '../../../kernel/log-failure.ts';
import { SettingsError } from '../../../kernel/parse-settings.ts';
import { readStoredConfig } from '../../../kernel/rest-config/read-rest-config.ts';
import { REST_KEYS } from '../../../kernel/rest-config/rest-keys.ts';
import type { FunctionName, RestSources } from '../../../kernel/settings.ts';
import { quoteName } from '../sql/sql-writer.ts';
import { mergeSettings, type RestSettings } from './rest-settings.ts';

/** What was said of the login role, for this database before for all. */
const READ_STORED = `
select distinct on (stored.name) stored.name, stored.value
from (
  select s.setdatabase, substr(o.text, 7, strpos(o.text, '=') - 7) as name, substr(o.text, strpos(o.text, '=') + 1) as value
  from pg_catalog.pg_db_role_setting s cross join unnest(s.setconfig) o (text)
  where s.setrole = (select oid from pg_catalog.pg_roles where rolname = session_user) and starts_with(o.text, 'pgrst.')
    and s.setdatabase in (0, (select oid from pg_catalog.pg_database where datname = current_database()))
) stored
order by stored.name, stored.setdatabase desc`;

const READ_SET = `
select name, current_setting('pgrst.' || name, true) as value from unnest($1::text[]) name
where nullif(current_setting('pgrst.' || name, true), '') is not null`;

/**
 * Gives the settings as they are now: those of the file, over them what the database says, over both the variables.
 * @returns a function that rejects with SettingsError, which names every key and repeats no value, while none were good yet; later it logs what is wrong and
 * keeps those.
 */
export function createSettingsSource(
  db: Database,
  sources: RestSources,
  logger: FastifyBaseLogger,
): () => Promise<RestSettings> {
  let good: RestSettings | undefined;
  let told = sources.ignored.length > 0 ? tell(sources.ignored) : '';

  function tell(ignored: readonly string[]): string {
    const names = ignored.join(', ');
    logger.warn({ keys: names }, 'settings of the table API that are not followed');
    return names;
  }

  return async () => {
    if (!sources.readsDatabase) return mergeSettings(sources.file, sources.variables);
    const { config, faults, ignored } = readStoredConfig(await readStored(db, sources.preConfig));
    const all = [...sources.ignored, ...ignored];
    if (all.length > 0 && all.join(', ') !== told) told = tell(all);
    if (faults.length === 0) {
      good = mergeSettings(sources.file, config, sources.variables);
      return good;
    }
    const error = new SettingsError(`Configuração inválida no banco: ${faults.join('; ')}.`);
    if (good === undefined) throw error;
    logger.error({ err: error }, 'settings of the table API stay as they were');
    return good;
  };
}

async function readStored(
  db: Database,
  preConfig: FunctionName | undefined,
): Promise<readonly (readonly [string, string])[]> {
  type Said = { name: string; value: string };
  return asLoginRole(db, 'read the settings of the table API', async (tx) => {
    const stored = await tx.query<Said>({ text: READ_STORED });
    const all = new Map<string, string>();
    if (preConfig !== undefined) {
      await tx.query({ text: `select ${quoteFunction(preConfig)}()` }).catch(blamePreConfig);
      const names = REST_KEYS.map(({ name }) => name.replaceAll('-', '_'));
      const set = await tx.query<Said>({ text: READ_SET, values: [names] });
      for (const { name, value } of set.rows) all.set(name, value);
    }
    for (const { name, value } of stored.rows) all.set(name, value);
    return [...all];
  });
}

/** A function that is not there, or not for the login role, is a setting that cannot be. */
function blamePreConfig(cause: unknown): never {
  if (!(cause instanceof pg.DatabaseError) || isDatabaseUnavailable(cause)) throw cause;
  const message = 'Configuração inválida: a função de PGRST_DB_PRE_CONFIG não pôde ser chamada.';
  throw new SettingsError(message, { cause });
}

/** A function's name as it stands in a statement. */
export function quoteFunction({ schema, name }: FunctionName): string {
  return schema === undefined ? quoteName(name) : `${quoteName(schema)}.${quoteName(name)}`;
}
