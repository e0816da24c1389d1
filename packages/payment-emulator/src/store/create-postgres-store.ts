import type { EmulatorStore, StoredRow, StoreTransaction } from './emulator-store.ts';

export type SqlStatement = {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
};
export type SqlTransaction = {
  query<T extends Record<string, unknown>>(statement: SqlStatement): Promise<{ readonly rows: readonly T[] }>;
};

/** Runs what is given in one transaction, as whoever owns `payment_emulator.objects`. */
export type RunInTransaction = <T>(run: (sql: SqlTransaction) => Promise<T>) => Promise<T>;

/** 'payments' in ASCII. */
const LOCK_KEY = '8097879431183299699';

/**
 * Keeps the objects in Postgres, in the table of `apps/server/platform/0007_payment_emulator.sql`. Changes wait for each
 * other under an advisory lock, whichever copy of the server they come from.
 */
export function createPostgresStore(inTransaction: RunInTransaction): EmulatorStore {
  // Changes of this copy wait here and not with a connection in their hands: the pool is for everybody.
  let turn: Promise<unknown> = Promise.resolve();
  const changeAlone: RunInTransaction = (run) => {
    const result = turn.then(() => inTransaction(run));
    turn = result.catch(() => undefined);
    return result;
  };
  return {
    change: (run) =>
      changeAlone(async (sql) => {
        await sql.query({
          name: 'payment_emulator_lock',
          text: 'select pg_advisory_xact_lock($1::bigint)',
          values: [LOCK_KEY],
        });
        return run(open(sql));
      }),
    read: (run) => inTransaction((sql) => run(open(sql))),
  };
}

type ObjectRow = { id: string; kind: string; data: StoredRow['data']; due_at: string | null };

const COLUMNS = 'id, kind, data, due_at';

function toStored({ id, kind, data, due_at: dueAt }: ObjectRow): StoredRow {
  return { id, kind, data, dueAt: dueAt === null ? null : Number(dueAt) };
}

function open(sql: SqlTransaction): StoreTransaction {
  return {
    async find(id) {
      const { rows } = await sql.query<ObjectRow>({
        name: 'payment_emulator_find',
        text: `select ${COLUMNS} from payment_emulator.objects where id = $1`,
        values: [id],
      });
      return rows[0] && toStored(rows[0]);
    },
    async list({ kind, match = {}, startingAfter, createdFrom, limit }) {
      const { rows } = await sql.query<ObjectRow>({
        name: 'payment_emulator_list',
        text: `select ${COLUMNS} from payment_emulator.objects
          where kind = $1 and data @> $2::jsonb
            and ($3::text is null or sequence < (select sequence from payment_emulator.objects where id = $3))
            and ($4::bigint is null or (data ->> 'created')::bigint >= $4)
          order by sequence desc limit $5`,
        values: [kind, JSON.stringify(match), startingAfter ?? null, createdFrom ?? null, limit ?? null],
      });
      return rows.map(toStored);
    },
    async listDue(kind, at, limit) {
      const { rows } = await sql.query<ObjectRow>({
        name: 'payment_emulator_list_due',
        text: `select ${COLUMNS} from payment_emulator.objects
          where kind = $1 and due_at <= $2 order by due_at, sequence limit $3`,
        values: [kind, Math.floor(at), limit],
      });
      return rows.map(toStored);
    },
    async findNextDue(kinds) {
      const { rows } = await sql.query<{ due_at: string | null }>({
        name: 'payment_emulator_next_due',
        text: 'select min(due_at) as due_at from payment_emulator.objects where kind = any($1) and due_at is not null',
        values: [kinds],
      });
      const next = rows[0]?.due_at ?? null;
      return next === null ? null : Number(next);
    },
    async save(rows) {
      await sql.query({
        name: 'payment_emulator_save',
        text: `insert into payment_emulator.objects (id, kind, data, due_at)
          select item.id, item.kind, item.data, item.due_at
          from rows from (jsonb_to_recordset($1::jsonb) as (id text, kind text, data jsonb, due_at bigint))
            with ordinality as item (id, kind, data, due_at, position)
          order by item.position
          on conflict (id) do update set data = excluded.data, due_at = excluded.due_at`,
        values: [
          JSON.stringify(rows.map(({ id, kind, data, dueAt }) => ({ id, kind, data, due_at: dueAt }))),
        ],
      });
    },
    async remove(ids) {
      await sql.query({
        name: 'payment_emulator_remove',
        text: 'delete from payment_emulator.objects where id = any($1)',
        values: [ids],
      });
    },
  };
}
