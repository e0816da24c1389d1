import type { ReadRequestPlan } from '../plan/plan-types.ts';
import { RESPONSE_SETTINGS, ROW, renderAnswer, renderBody } from './render-body.ts';
import { renderCountedRows } from './render-count.ts';
import { renderRead } from './render-read.ts';
import { SqlWriter } from './sql-writer.ts';

export type RenderedStatement = { readonly text: string; readonly values: readonly unknown[] };

/** The statement of a GET or HEAD: columns body, page (rows in it) and total (rows without limit, when asked for). */
export function renderReadStatement(plan: ReadRequestPlan): RenderedStatement {
  const writer = new SqlWriter(plan.weight.boundedParts);
  const total = renderTotal(writer, plan);
  if (plan.headersOnly && plan.count === 'exact') {
    // The page follows from the total; the limit of zero only checks that what was asked for exists.
    const checked = renderRead(writer, { ...plan.read, limit: 0, offset: 0 });
    return {
      text: `select null::text as body, (select count(*)::int from (${checked}) as ${ROW}) as page, ${total} as total, ${RESPONSE_SETTINGS}`,
      values: writer.values,
    };
  }
  const rows = renderRead(writer, plan.read);
  if (plan.headersOnly)
    return {
      text: `select null::text as body, count(*)::int as page, ${total} as total, ${RESPONSE_SETTINGS} from (${rows}) as ${ROW}`,
      values: writer.values,
    };
  const body = renderBody(plan.media, 'rows', rows, plan.weight.boundedParts !== undefined);
  return {
    text: renderAnswer(body, `count(*)::int as page, ${total} as total, ${RESPONSE_SETTINGS}`),
    values: writer.values,
  };
}

function renderTotal(writer: SqlWriter, plan: ReadRequestPlan): string {
  switch (plan.count) {
    case 'exact':
      return `(select count(*) from (${renderCountedRows(writer, plan.read)}) as pgrst_counted)`;
    case 'estimated':
      // Up to the row cap the count is exact; beyond it the planner's estimate is asked for.
      return `(select count(*) from (${renderCountedRows(writer, plan.read)} limit ${plan.maxRows + 1}) as pgrst_counted)`;
    default:
      return 'null';
  }
}

/** Asks the planner how many rows it expects, without reading them. */
export function renderEstimateStatement(plan: ReadRequestPlan): RenderedStatement {
  const writer = new SqlWriter();
  return {
    text: `explain (format json) ${renderCountedRows(writer, plan.read)}`,
    values: writer.values,
  };
}
