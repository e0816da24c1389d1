import type { CallArguments, CallPlan } from '../plan/plan-types.ts';
import type { Parameter, Routine } from '../schema-cache/schema-cache.ts';
import {
  type BodyShape,
  COUNT_RESULT,
  RESPONSE_SETTINGS,
  ROW,
  renderAnswer,
  renderBody,
  VALUE,
} from './render-body.ts';
import { renderCountedRows } from './render-count.ts';
import { toArrayLiteral } from './render-filter.ts';
import { RESULT, renderRead } from './render-read.ts';
import type { RenderedStatement } from './render-read-statement.ts';
import { quoteName, quoteQualified, SqlWriter } from './sql-writer.ts';

const ARGUMENTS = 'pgrst_args';
const CALL = 'pgrst_call';

/**
 * The statement of a function call: the call once, then filters, order, limits and embeds over its rows. Where nobody looks at the
 * value, Postgres would leave out the call of a function that is not volatile, and with it the question whether the caller may.
 */
export function renderCallStatement(plan: CallPlan): RenderedStatement {
  const writer = new SqlWriter(plan.weight.boundedParts);
  const call = renderCall(writer, plan);
  const total =
    plan.count === undefined
      ? 'null'
      : `(select count(*) from (${renderCountedRows(writer, plan.read)}) as pgrst_counted)`;
  if (plan.routine.returns === 'void')
    return {
      text: `with ${RESULT} as materialized (${call}) select null::text as body, (${COUNT_RESULT}) as page, null as total, ${RESPONSE_SETTINGS}`,
      values: writer.values,
    };
  const rows = renderRead(writer, plan.read);
  if (plan.headersOnly)
    return {
      text: `with ${RESULT} as ${plan.routine.returns === 'row' ? '' : 'materialized '}(${call})
select null::text as body, count(*)::int as page, ${total} as total, ${RESPONSE_SETTINGS}
from (${rows}) as ${ROW}`,
      values: writer.values,
    };
  const isLarge = plan.weight.boundedParts !== undefined;
  const body = renderBody(plan.media, shapeOf(plan.routine), rows, isLarge);
  return {
    text: `with ${RESULT} as (${call})
${renderAnswer(body, `count(*)::int as page, ${total} as total, ${RESPONSE_SETTINGS}`)}`,
    values: writer.values,
  };
}

/** The call by itself, whatever is asked of its rows: nothing that a client chose can make it fail. */
export function renderBareCall(plan: CallPlan): RenderedStatement {
  const writer = new SqlWriter();
  const call = renderCall(writer, plan);
  return {
    text: `with ${RESULT} as materialized (${call}) select count(*) from ${RESULT}`,
    values: writer.values,
  };
}

function shapeOf({ returns, returnsSet }: Routine): BodyShape {
  if (returns === 'row') return returnsSet ? 'rows' : 'row';
  return returnsSet ? 'values' : 'value';
}

function renderCall(writer: SqlWriter, plan: CallPlan): string {
  const { routine } = plan;
  const { list, from } = renderArguments(writer, routine, plan.arguments);
  const called = `${quoteQualified(routine)}(${list})`;
  if (routine.returns !== 'row')
    return `select ${called} as ${VALUE}${from === undefined ? '' : ` from ${from}`}`;
  const source = from === undefined ? called : `${from}, lateral ${called}`;
  return `select ${CALL}.* from ${source} as ${CALL}`;
}

type RenderedArguments = {
  readonly list: string;
  /** Where the list's values come from, when they are no parameters of the statement. */
  readonly from: string | undefined;
};

function renderArguments(writer: SqlWriter, routine: Routine, given: CallArguments): RenderedArguments {
  switch (given.kind) {
    case 'none':
      return { list: '', from: undefined };
    case 'single':
      return { list: `${writer.bind(given.value)}::${given.type}`, from: undefined };
    case 'json': {
      const parameters = routine.parameters.filter(({ name }) => given.names.includes(name));
      const types = parameters.map(({ name, type }) => `${quoteName(name)} ${type}`).join(', ');
      const list = parameters.map((parameter) =>
        renderNamed(parameter, `${ARGUMENTS}.${quoteName(parameter.name)}`),
      );
      return {
        list: list.join(', '),
        from: `json_to_record(${renderObject(writer, given)}) as ${ARGUMENTS}(${types})`,
      };
    }
    case 'pairs': {
      const list = given.pairs.flatMap(([name, value]) => {
        const parameter = routine.parameters.find((candidate) => candidate.name === name);
        if (parameter === undefined) return [];
        const bound = writer.bind(typeof value === 'string' ? value : toArrayLiteral(value));
        const cast = parameter.type.startsWith('any') ? '' : `::${parameter.type}`;
        return [renderNamed(parameter, `${bound}${cast}`)];
      });
      return { list: list.join(', '), from: undefined };
    }
  }
}

function renderObject(
  writer: SqlWriter,
  { text, isArray }: Extract<CallArguments, { kind: 'json' }>,
): string {
  const json = `${writer.bind(text)}::json`;
  return isArray ? `(${json})->0` : json;
}

function renderNamed({ name, variadic }: Parameter, value: string): string {
  return `${variadic ? 'variadic ' : ''}${quoteName(name)} := ${value}`;
}
