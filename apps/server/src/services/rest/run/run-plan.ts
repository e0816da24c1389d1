import pg from 'pg';
import type { Caller, RequestContext } from '../../../kernel/caller-context.ts';
import { asCaller, type Database, queryAsCaller, type Statement } from '../../../kernel/database.ts';
import type { CallPlan, Expectation, MutationPlan, ReadRequestPlan } from '../plan/plan-types.ts';
import { RestError, restError } from '../rest-error.ts';
import type { NameStatement } from '../sql/name-statements.ts';
import { renderBareCall, renderCallStatement } from '../sql/render-call-statement.ts';
import { renderMutationStatement } from '../sql/render-mutation-statement.ts';
import {
  type RenderedStatement,
  renderEstimateStatement,
  renderReadStatement,
} from '../sql/render-read-statement.ts';

/** What the database answered. */
export type RunResult = {
  readonly body: string | null;
  /** Rows in the body, or rows changed. */
  readonly page: number;
  /** Rows without limit and offset, when asked for. */
  readonly total: number | undefined;
  readonly inserted: number | undefined;
  readonly location: string | undefined;
  readonly responseHeaders: string | undefined;
  readonly responseStatus: string | undefined;
};

export type RunContext = {
  readonly db: Database;
  readonly caller: Caller;
  readonly request: RequestContext;
  readonly nameStatement: NameStatement;
  readonly schemaVersion: number;
};

type ResultRow = {
  readonly body: string | null;
  readonly page: number;
  readonly total?: string | null;
  readonly inserted?: number | null;
  readonly location?: string | null;
  readonly response_headers?: string | null;
  readonly response_status?: string | null;
};

/**
 * Runs a plan as its caller. @throws RestError when the rows are not as many as expected, pg.DatabaseError as Postgres
 * raised it; in both cases nothing is changed.
 */
export async function runPlan(
  context: RunContext,
  plan: ReadRequestPlan | MutationPlan | CallPlan,
): Promise<RunResult> {
  const running = { ...context, isCostly: plan.weight.isCostly };
  try {
    return await runThroughDeadlocks(running, plan);
  } catch (error) {
    const isHurried = plan.weight.isCostly || context.caller.role === 'anon';
    if (isHurried && isTimeout(error)) throw new RestError(restError.tooLong(), { cause: error });
    throw error;
  }
}

/**
 * Whom Postgres picks to end a deadlock has done nothing wrong and changed nothing: their one statement succeeds a moment later. Not
 * always at once: it may lock its first row again before the one that waits for that row has woken up.
 */
async function runThroughDeadlocks(
  running: Running,
  plan: ReadRequestPlan | MutationPlan | CallPlan,
): Promise<RunResult> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await run(running, plan);
    } catch (error) {
      if (!isDeadlock(error) || attempt === MOST_ATTEMPTS) throw error;
    }
}

/** Each deadlock lasts a second. */
const MOST_ATTEMPTS = 4;

const isDeadlock = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '40P01';

/** A function may raise the same code in words of its own: those stay as they are. */
function isTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '57014' && error.routine === 'ProcessInterrupts';
}

type Running = RunContext & { readonly isCostly: boolean };

async function run(context: Running, plan: ReadRequestPlan | MutationPlan | CallPlan): Promise<RunResult> {
  switch (plan.kind) {
    case 'read':
      return runRead(context, plan);
    case 'mutation': {
      const statement = toStatement(context, renderMutationStatement(plan));
      return mayRollBack(plan)
        ? runExpecting(context, statement, plan.expectation, false)
        : runOnce(context, statement, plan.expectation, false);
    }
    case 'call': {
      const statement = toStatement(context, renderCallStatement(plan));
      const { expectation, readOnly } = plan;
      if (!readOnly && RECORDED_FIRST.test(plan.routine.comment ?? '')) await recordCall(context, plan);
      const conditional = expectation.singular || expectation.maxAffected !== undefined;
      return conditional && !readOnly
        ? runExpecting(context, statement, expectation, false)
        : runOnce(context, statement, expectation, readOnly);
    }
  }
}

/** Such a function answers nothing when it is called first: it writes down that it was called. */
const RECORDED_FIRST = /rest: recorded first/;

/** In a transaction of its own, so that the record stays whatever becomes of the reading. */
async function recordCall({ db, caller, request }: RunContext, plan: CallPlan): Promise<void> {
  await asCaller(
    db,
    caller,
    async (tx) => {
      await tx.query({ text: `select set_config('linkoteca.record_only', 'on', true)`, values: [] });
      await tx.query(renderBareCall(plan));
    },
    { request, readOnly: false },
  );
}

async function runRead(context: Running, plan: ReadRequestPlan): Promise<RunResult> {
  const statement = toStatement(context, renderReadStatement(plan));
  const result = await readOne(context, statement, true);
  if (plan.singular && !plan.headersOnly && result.page !== 1)
    throw new RestError(restError.notSingular(result.page));
  const { total } = result;
  if (plan.count === 'exact' && plan.headersOnly && total !== undefined) {
    const left = Math.max(0, total - plan.read.offset);
    return { ...result, page: Math.min(left, plan.read.limit ?? left) };
  }
  if (plan.count === 'planned') return { ...result, total: await estimate(context, plan) };
  if (plan.count === 'estimated' && total !== undefined && total > plan.maxRows)
    return { ...result, total: Math.max(total, await estimate(context, plan)) };
  return result;
}

async function estimate(context: Running, plan: ReadRequestPlan): Promise<number> {
  type Explained = { 'QUERY PLAN': readonly { Plan: { 'Plan Rows': number } }[] };
  const { db, caller, request, isCostly } = context;
  const { text, values } = renderEstimateStatement(plan);
  const { rows } = await queryAsCaller<Explained>(
    db,
    caller,
    { text, values },
    { request, readOnly: true, isCostly },
  );
  return rows[0]?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0;
}

/** An insert of one plain object always gives one row: it needs no transaction to take back. */
function mayRollBack({ expectation, mutation }: MutationPlan): boolean {
  if (expectation.maxAffected !== undefined || expectation.matchesAddress) return true;
  return expectation.singular && (mutation.kind !== 'insert' || mutation.payload.isArray);
}

async function runOnce(
  context: Running,
  statement: Statement,
  expectation: Expectation,
  readOnly: boolean,
): Promise<RunResult> {
  const result = await readOne(context, statement, readOnly);
  checkExpectation(result, expectation);
  return result;
}

/** The check happens before the commit: a failed one leaves the database as it was. */
async function runExpecting(
  context: Running,
  statement: Statement,
  expectation: Expectation,
  readOnly: boolean,
): Promise<RunResult> {
  const { db, caller, request, isCostly } = context;
  return asCaller(
    db,
    caller,
    async (tx) => {
      const { rows } = await tx.query<ResultRow>(statement);
      const result = toResult(rows[0]);
      checkExpectation(result, expectation);
      return result;
    },
    { request, readOnly, isCostly },
  );
}

function checkExpectation({ page }: RunResult, expectation: Expectation): void {
  const { maxAffected, singular, matchesAddress } = expectation;
  if (matchesAddress && page !== 1) throw new RestError(restError.putMismatch());
  if (singular && page !== 1) throw new RestError(restError.notSingular(page));
  if (maxAffected !== undefined && page > maxAffected) throw new RestError(restError.maxAffected(page));
}

async function readOne(context: Running, statement: Statement, readOnly: boolean): Promise<RunResult> {
  const { db, caller, request, isCostly } = context;
  const { rows } = await queryAsCaller<ResultRow>(db, caller, statement, { request, readOnly, isCostly });
  return toResult(rows[0]);
}

function toStatement(context: Running, { text, values }: RenderedStatement): Statement {
  const name = context.nameStatement(text, context.schemaVersion);
  return name === undefined ? { text, values } : { text, values, name };
}

function toResult(row: ResultRow | undefined): RunResult {
  if (row === undefined) throw new TypeError('a statement of the table API gave no row');
  return {
    body: row.body,
    page: row.page,
    total: row.total === null || row.total === undefined ? undefined : Number(row.total),
    inserted: row.inserted ?? undefined,
    location: row.location ?? undefined,
    responseHeaders: row.response_headers ?? undefined,
    responseStatus: row.response_status ?? undefined,
  };
}
