import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../../kernel/database.ts';
import { keepSession, openSession } from '../../../kernel/keep-session.ts';
import { SettingsError } from '../../../kernel/parse-settings.ts';
import type { SchemaSource } from './create-schema-source.ts';

/** Whether the database tells of changes by itself: by the triggers of platform/0070, or by those of the hosted platform. */
const TELLS = `
  select exists (
    select from pg_event_trigger where evtname in ('linkoteca_schema_change', 'pgrst_ddl_watch') and evtenabled <> 'D'
  ) as tells
`;

/** The settings are read with the schema: they say which schemas there are. */
const RELOADS: ReadonlySet<string> = new Set(['', 'reload schema', 'reload config']);

/** How many rows of the catalogue were ever written: another number after whatever changed the schema. */
const CATALOGUE_WRITES = `
  select sum(n_tup_ins + n_tup_upd + n_tup_del)::text as writes from pg_stat_sys_tables
  where schemaname = 'pg_catalog'
    and relname in (
      'pg_namespace', 'pg_class', 'pg_attribute', 'pg_proc', 'pg_constraint', 'pg_type', 'pg_enum', 'pg_cast', 'pg_description',
      'pg_trigger', 'pg_rewrite'
    )
`;
const LOOK_EVERY_MS = 2_000;
const RETRY_MS = 1_000;

/**
 * Reloads the schema and the settings on `notify pgrst, 'reload schema'` or `'reload config'`, and whenever its session is opened anew: what was notified
 * meanwhile is lost. A database that does not notify when its schema changes is looked at, every two seconds unless told.
 * A reading that fails is tried again a second later unless told; settings that are wrong stay so until somebody tells.
 * @returns a function that stops listening.
 */
export function listenForReload(
  db: Database,
  source: SchemaSource,
  logger: FastifyBaseLogger,
  {
    lookEveryMs = LOOK_EVERY_MS,
    retryMs = RETRY_MS,
  }: { readonly lookEveryMs?: number; readonly retryMs?: number } = {},
): () => Promise<void> {
  let reloading: Promise<unknown> | undefined;
  let retrying: NodeJS.Timeout | undefined;

  function reload(): void {
    clearTimeout(retrying);
    reloading = source.reload().catch((error: unknown) => {
      logger.error({ err: error }, 'schema reload failed');
      clearTimeout(retrying);
      if (!(error instanceof SettingsError)) retrying = setTimeout(retry, retryMs).unref();
    });
  }

  /** Without a session there is nothing to do: the next one reads the schema when it is ready. */
  function retry(): void {
    if (session.current() !== undefined) reload();
  }

  let looking: NodeJS.Timeout | undefined;
  let seen: string | undefined;

  async function look(): Promise<void> {
    const { rows = [] } =
      (await session.current()?.query<{ writes: string }>({ text: CATALOGUE_WRITES })) ?? {};
    const writes = rows[0]?.writes;
    if (writes === undefined || writes === seen) return;
    if (seen !== undefined) reload();
    seen = writes;
  }

  async function lookWhereNobodyTells(): Promise<void> {
    clearInterval(looking);
    seen = undefined;
    const { rows = [] } = (await session.current()?.query<{ tells: boolean }>({ text: TELLS })) ?? {};
    if (rows[0]?.tells !== false || session.current() === undefined) return;
    // What fails is a lost session, of which there is told elsewhere.
    looking = setInterval(() => void look().catch(() => undefined), lookEveryMs).unref();
    await look();
  }

  const session = keepSession({
    open: (onReady) =>
      openSession(db, {
        name: 'linkoteca schema cache',
        setUp: 'listen pgrst',
        onReady,
        onNotification(payload) {
          if (RELOADS.has(payload ?? '')) reload();
        },
      }),
    onReady() {
      reload();
      void lookWhereNobodyTells().catch(() => undefined);
    },
    onLost: ({ error, delayMs }) =>
      logger.warn({ err: error, delay: delayMs }, 'schema listener lost its connection'),
    firstDelayMs: 200,
    maxDelayMs: 10_000,
  });
  return async () => {
    clearInterval(looking);
    await session.stop();
    clearInterval(looking);
    await reloading;
    clearTimeout(retrying);
  };
}
