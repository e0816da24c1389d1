import pg from 'pg';
import type { Caller } from '../../../../kernel/caller-context.ts';
import { type Database, queryAsCaller } from '../../../../kernel/database.ts';
import { isDatabaseUnavailable } from '../../../../kernel/log-failure.ts';
import type { RowText } from '../../feed/change-feed.ts';
import type { BoundTable } from '../catalogue/bound-table.ts';
import { type RowCheck, renderRows } from './render-row-check.ts';

/** One question to the database: does the row meet the check, as the caller sees the world now? */
export type RowQuestion = {
  readonly table: BoundTable;
  readonly caller: Caller;
  readonly check: RowCheck;
  /** Parameters from `$2` on. */
  readonly values: readonly unknown[];
  readonly row: RowText;
};

/** The database refuses to answer: this question altogether (`refused`), or for this row (`failed`). */
export type RowAnswer = boolean | 'refused' | 'failed';

export type RowChecks = {
  /** Questions of one caller about one table are asked together. Rejects when the database cannot be asked. */
  ask(question: RowQuestion): Promise<RowAnswer>;
};

/** The pool serves requests as well: most of it stays theirs. One caller has one check at a time, however slow they make it. */
const MAX_AT_ONCE = 4;
const MAX_ROWS = 500;
/** The statement took too long, was cancelled, or waited too long for a lock. */
const LATE = new Set(['57014', '55P03', '40001', '40P01']);
/** Classes of SQLSTATE that say that a statement is wrong, and not that a value in it is. */
const WRONG_STATEMENT = /^(42|0A|25|3F)/;

type Waiting = {
  readonly row: RowText;
  resolve(answer: RowAnswer): void;
  reject(error: unknown): void;
};
type Batch = Omit<RowQuestion, 'row'> & { readonly waiting: Waiting[] };

export function createRowChecks(db: Database): RowChecks {
  /** Batches that have not been sent, in the order in which they began. */
  const open = new Map<string, Batch>();
  const tableIds = new WeakMap<BoundTable, number>();
  const callerIds = new WeakMap<Caller, number>();
  const running = new Set<Caller>();
  let lastId = 0;
  let isScheduled = false;

  function idOf<T extends object>(ids: WeakMap<T, number>, subject: T): number {
    const id = ids.get(subject) ?? ++lastId;
    ids.set(subject, id);
    return id;
  }

  /** What the feed brings in one go is asked in one go. */
  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      for (const [key, batch] of open) {
        if (running.size >= MAX_AT_ONCE) return;
        if (running.has(batch.caller)) continue;
        open.delete(key);
        running.add(batch.caller);
        void run(batch).finally(() => {
          running.delete(batch.caller);
          if (open.size > 0) schedule();
        });
      }
    });
  }

  async function run(batch: Batch): Promise<void> {
    for (let at = 0; at < batch.waiting.length; at += MAX_ROWS)
      await answer(batch, batch.waiting.slice(at, at + MAX_ROWS));
  }

  async function answer(batch: Batch, waiting: readonly Waiting[]): Promise<void> {
    try {
      const seen = await runCheck(db, batch, waiting);
      waiting.forEach(({ resolve }, index) => {
        resolve(seen.has(index + 1));
      });
    } catch (error) {
      const code = error instanceof pg.DatabaseError ? (error.code ?? '') : '';
      if (code === '' || isDatabaseUnavailable(error) || LATE.has(code))
        for (const { reject } of waiting) reject(error);
      else if (WRONG_STATEMENT.test(code)) for (const { resolve } of waiting) resolve('refused');
      else if (waiting.length === 1) waiting[0]?.resolve('failed');
      // One row that the condition stumbles over (a division by zero) says nothing about the others.
      else for (const one of waiting) await answer(batch, [one]);
    }
  }

  return {
    ask(question) {
      const { table, caller, check, values, row } = question;
      const key = `${idOf(tableIds, table)} ${idOf(callerIds, caller)} ${check.name} ${JSON.stringify(values)}`;
      return new Promise((resolve, reject) => {
        const batch = open.get(key) ?? { table, caller, check, values, waiting: [] };
        batch.waiting.push({ row, resolve, reject });
        open.set(key, batch);
        schedule();
      });
    },
  };
}

async function runCheck(db: Database, batch: Batch, waiting: readonly Waiting[]): Promise<Set<number>> {
  const { table, caller, check, values } = batch;
  const rows = renderRows(
    table,
    waiting.map(({ row }) => row),
  );
  const answer = await queryAsCaller<{ place: number }>(
    db,
    caller,
    { ...check, values: [rows, ...values] },
    { readOnly: true },
  );
  return new Set(answer.rows.map(({ place }) => place));
}
