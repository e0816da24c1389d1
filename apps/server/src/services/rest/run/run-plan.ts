import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Rows, Statement } from '../../../kernel/database.ts';
import type { MediaType } from '../parse/parse-accept.ts';
import type { CallPlan, Expectation, MutationPlan, ReadRequestPlan } from '../plan/plan-types.ts';
import { RestError, restError } from '../rest-error.ts';
import { renderBareCall, renderCallStatement } from '../sql/render-call-statement.ts';
import { renderMutationStatement } from '../sql/render-mutation-statement.ts';
import {
  type RenderedStatement,
  renderEstimateStatement,
  renderReadStatement,
} from '../sql/render-read-statement.ts';
import { type RunContext, runStatement } from './run-statement.ts';

/** What the database answered. */
export type RunResult = {
  /** As Postgres sent it; a text where it was put together here. */
  readonly body: Buffer | string | null;
  /** Rows in the body, or rows changed. */
  readonly page: number;
  /** Rows without limit and offset, when asked for. */
  readonly total: number | undefined;
  readonly inserted: number | undefined;
  readonly location: string | undefined;
  readonly responseHeaders: string | undefined;
  readonly responseStatus: string | undefined;
};

type ResultRow = {
  readonly body: Buffer | string | null;
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
    return await runPastDeadlocks(() => run(running, plan));
  } catch (error) {
    const isHurried = plan.weight.isCostly || context.caller.role === 'anon';
    if (isHurried && isTimeout(error)) throw new RestError(restError.tooLong(), { cause: error });
    throw error;
  }
}

/** How long the others have, whom the end of a deadlock lets go on; on a busy machine they may need more than one pause. */
const PAUSES_MS = [50, 200, 800] as const;

/**
 * Whom Postgres picks to end a deadlock has done nothing wrong and changed nothing: their one statement succeeds a moment later, once
 * the others have had time to take what they waited for.
 */
async function runPastDeadlocks<T>(attempt: () => Promise<T>): Promise<T> {
  for (const pauseMs of PAUSES_MS)
    try {
      return await attempt();
    } catch (error) {
      if (!isDeadlock(error)) throw error;
      await sleep(pauseMs);
    }
  return attempt();
}

const isDeadlock = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '40P01';

/** A function may raise the same code in words of its own: those stay as they are. */
function isTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '57014' && error.routine === 'ProcessInterrupts';
}

async function run(context: RunContext, plan: ReadRequestPlan | MutationPlan | CallPlan): Promise<RunResult> {
  if (plan.media.kind === 'plan') {
    // Analysed, it runs, and says how many rows there were.
    if (plan.media.options.includes('analyze')) await recordFirst(context, plan);
    return explain(context, plan, plan.media);
  }
  switch (plan.kind) {
    case 'read':
      return runRead(context, plan);
    case 'mutation': {
      const statement = toStatement(context, renderMutationStatement(plan));
      const { maxAffected, matchesAddress } = plan.expectation;
      // That it is one row the statement sees to by itself.
      return runChange(context, statement, plan.expectation, matchesAddress || maxAffected !== undefined);
    }
    case 'call': {
      const statement = toStatement(context, renderCallStatement(plan));
      const { expectation, readOnly } = plan;
      if (readOnly) {
        const result = await readOne(context, statement);
        checkExpectation(result, expectation);
        return result;
      }
      await recordFirst(context, plan);
      const conditional = expectation.singular || expectation.maxAffected !== undefined;
      return runChange(context, statement, expectation, conditional);
    }
  }
}

/** What Postgres would do, as the caller; with `analyze` it does it. */
async function explain(
  context: RunContext,
  plan: ReadRequestPlan | MutationPlan | CallPlan,
  { format, options }: Extract<MediaType, { readonly kind: 'plan' }>,
): Promise<RunResult> {
  const { text, values } = renderStatement(plan);
  const explained = `explain (${[`format ${format}`, ...options].join(', ')}) ${text}`;
  const readOnly = plan.kind === 'read' || (plan.kind === 'call' && plan.readOnly);
  const statement = { text: explained, values };
  const { rows } = await runStatement<{ 'QUERY PLAN': unknown }>(context, statement, { readOnly });
  const lines = rows.map((row) => row['QUERY PLAN']);
  const body = format === 'json' ? JSON.stringify(lines[0], null, 2) : lines.join('\n');
  return toResult({ body, page: 0 });
}

function renderStatement(plan: ReadRequestPlan | MutationPlan | CallPlan): RenderedStatement {
  if (plan.kind === 'read') return renderReadStatement(plan);
  return plan.kind === 'call' ? renderCallStatement(plan) : renderMutationStatement(plan);
}

/** Such a function answers nothing when it is called first: it writes down that it was called. */
const RECORDED_FIRST = /rest: recorded first/;

/** In a transaction of its own, so that the record stays whatever becomes of the reading. */
async function recordFirst(
  context: RunContext,
  plan: ReadRequestPlan | MutationPlan | CallPlan,
): Promise<void> {
  if (plan.kind !== 'call' || plan.readOnly || !RECORDED_FIRST.test(plan.routine.comment ?? '')) return;
  await runStatement({ ...context, rollsBack: false }, renderBareCall(plan), {
    readOnly: false,
    before: { text: `select set_config('linkoteca.record_only', 'on', true)` },
  });
}

async function runRead(context: RunContext, plan: ReadRequestPlan): Promise<RunResult> {
  const statement = toStatement(context, renderReadStatement(plan));
  const answered = await readOne(context, statement);
  const { total } = answered;
  const isCounted = plan.count === 'exact' && plan.headersOnly && total !== undefined;
  const result = isCounted ? { ...answered, page: countPage(total, plan.read) } : answered;
  if (plan.singular && result.page !== 1) throw new RestError(restError.notSingular(result.page));
  if (plan.count === 'planned') return { ...result, total: await estimate(context, plan) };
  if (plan.count === 'estimated' && total !== undefined && total > plan.maxRows)
    return { ...result, total: Math.max(total, await estimate(context, plan)) };
  return result;
}

function countPage(total: number, { offset, limit }: ReadRequestPlan['read']): number {
  const left = Math.max(0, total - offset);
  return Math.min(left, limit ?? left);
}

async function estimate(context: RunContext, plan: ReadRequestPlan): Promise<number> {
  type Explained = { 'QUERY PLAN': readonly { Plan: { 'Plan Rows': number } }[] };
  const { rows } = await runStatement<Explained>(context, renderEstimateStatement(plan), { readOnly: true });
  return rows[0]?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0;
}

/** @param isConditional whether the check must happen before the commit, so that a failed one leaves the database as it was. */
async function runChange(
  context: RunContext,
  statement: Statement,
  expectation: Expectation,
  isConditional: boolean,
): Promise<RunResult> {
  const check = ({ rows }: Rows<ResultRow>) => checkExpectation(toResult(rows[0]), expectation);
  const { rows } = await runStatement<ResultRow>(context, statement, {
    readOnly: false,
    ...(isConditional ? { check } : {}),
  });
  const result = toResult(rows[0]);
  checkExpectation(result, expectation);
  return result;
}

function checkExpectation({ page }: RunResult, expectation: Expectation): void {
  const { maxAffected, singular, matchesAddress } = expectation;
  if (matchesAddress && page !== 1) throw new RestError(restError.putMismatch());
  if (singular && page !== 1) throw new RestError(restError.notSingular(page));
  if (maxAffected !== undefined && page > maxAffected) throw new RestError(restError.maxAffected(page));
}

async function readOne(context: RunContext, statement: Statement): Promise<RunResult> {
  const { rows } = await runStatement<ResultRow>(context, statement, { readOnly: true });
  return toResult(rows[0]);
}

function toStatement(context: RunContext, { text, values }: RenderedStatement): Statement {
  const name = context.nameStatement(text, context.schemaVersion);
  return { text, values, bytesOf: 'body', ...(name === undefined ? {} : { name }) };
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
