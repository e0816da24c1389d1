import type pg from 'pg';

/** A row that was written: null `before` for a new one, null `after` for one that is gone. */
export type Change = {
  /** Schema and table. */
  readonly table: string;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
};

export type WatchedDatabase = {
  /** What was written since the last call, in order; what its own transaction took back was not. */
  takeChanges(): Promise<readonly Change[]>;
  /** Takes back all that was written since the database is watched. */
  undo(): Promise<void>;
  /** Every row there is. */
  readRows(): Promise<readonly Pick<Change, 'table' | 'after'>[]>;
  /** One text for all rows of all tables: equal before and after where nothing was written. */
  digest(): Promise<string>;
};

/** What sign-in writes to, and what follows from it by triggers. */
const SCHEMAS = ['auth', 'public', 'private', 'storage'];

/**
 * A trigger notes each row that is written. Its name sorts before all others, the foreign keys' among them: what follows from a row is
 * noted after it, and taken back before it.
 */
const WATCH = `
  create schema watch;
  create table watch.changes (id bigint generated always as identity primary key, place text, before jsonb, after jsonb);

  create function watch.note() returns trigger language plpgsql security definer set search_path = '' as $$
  begin
    insert into watch.changes (place, before, after)
    values (format('%I.%I', tg_table_schema, tg_table_name), to_jsonb(old), to_jsonb(new));
    return null;
  end $$;

  -- Without triggers and foreign keys: each row that they wrote was noted as well.
  create function watch.undo() returns void language plpgsql set session_replication_role = replica as $$
  declare
    change watch.changes;
    columns text;
    gone bigint;
  begin
    for change in select * from watch.changes order by id desc loop
      if change.after is not null then
        execute format('delete from %s t where to_jsonb(t) = $1', change.place) using change.after;
        get diagnostics gone = row_count;
        if gone <> 1 then raise 'watch: % rows of % instead of one', gone, change.place; end if;
      end if;
      if change.before is not null then
        select string_agg(quote_ident(attname), ', ') into columns from pg_attribute
        where attrelid = change.place::regclass and attnum > 0 and not attisdropped and attgenerated = '';
        execute format('insert into %1$s (%2$s) overriding system value select %2$s from jsonb_populate_record(null::%1$s, $1)',
          change.place, columns) using change.before;
      end if;
    end loop;
    delete from watch.changes;
  end $$;`;

const TABLES = `select format('%I.%I', n.nspname, c.relname) as name
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and not c.relispartition and n.nspname = any ($1) order by 1`;

/** Notes from now on whatever is written to the tables of a throwaway database. @param admin its superuser */
export async function watchDatabase(admin: pg.Pool): Promise<WatchedDatabase> {
  const { rows } = await admin.query<{ name: string }>(TABLES, [SCHEMAS]);
  const tables = rows.map(({ name }) => name);
  const triggers = tables.map(
    (name) =>
      `create trigger "!watch" after insert or update or delete on ${name} for each row execute function watch.note();`,
  );
  await admin.query(WATCH + triggers.join('\n'));
  const all = tables
    .map((name) => `select '${name}' as table, to_jsonb(t) as after from ${name} t`)
    .join(' union all ');
  let taken = '0';
  return {
    takeChanges: async () => {
      const written = await admin.query<Change & { id: string; is_change: boolean }>(
        `select id, place as table, before, after, before is distinct from after as is_change
         from watch.changes where id > $1 order by id`,
        [taken],
      );
      taken = written.rows.at(-1)?.id ?? taken;
      return written.rows.filter(({ is_change: isChange }) => isChange);
    },
    undo: async () => {
      await admin.query('select watch.undo()');
    },
    readRows: async () => (await admin.query<Pick<Change, 'table' | 'after'>>(all)).rows,
    digest: async () => {
      const digested = await admin.query<{ digest: string }>({
        // Planning it takes longer than running it.
        name: 'watch_digest',
        text: `select md5(string_agg(one, chr(10) order by one)) as digest from (select a.table || a.after as one from (${all}) a) b`,
      });
      return digested.rows[0]?.digest ?? '';
    },
  };
}
