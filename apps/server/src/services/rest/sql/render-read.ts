import type {
  Aggregate,
  EmbedPlan,
  PlannedOrder,
  PlannedSelect,
  ReadPlan,
  ReadSource,
  SpreadField,
} from '../plan/plan-types.ts';
import { renderBytesOfAll } from './answer-bytes.ts';
import { renderField, renderOfRow } from './render-field.ts';
import { renderLogic } from './render-filter.ts';
import { quoteName, quoteQualified, type SqlWriter } from './sql-writer.ts';

/** Name of the rows that a mutation or a function call gave. */
export const RESULT = 'pgrst_source';
/** Column of a row that was made JSON to be measured. */
export const JSON_ROW = 'pgrst_json';

/** The query of a plan: one row per row of the answer, each embed a column of JSON. */
export function renderRead(writer: SqlWriter, plan: ReadPlan): string {
  const isGrouped = hasAggregate(plan);
  const columns = [
    ...plan.select.map((item) => renderSelect(writer, plan.alias, item)),
    ...plan.embeds.flatMap((embed) => renderEmbedColumns(embed, isGrouped)),
  ];
  return [
    `select ${columns.join(', ')}`,
    `from ${renderFrom(plan)}`,
    ...plan.embeds.map((embed) => renderEmbedJoin(writer, embed)),
    renderWhere(writer, plan, (alias) => embedExists(plan, alias)),
    isGrouped ? renderGroup(writer, plan) : '',
    renderOrder(writer, plan.order),
    renderLimit(writer, plan),
  ]
    .filter((part) => part !== '')
    .join(' ');
}

export function renderFrom({ source, alias, junction }: ReadPlan): string {
  const own = `${renderSource(source)} as ${quoteName(alias)}`;
  if (junction === undefined) return own;
  return `${own}, ${quoteQualified(junction.relation)} as ${quoteName(junction.alias)}`;
}

function renderSource(source: ReadSource): string {
  switch (source.kind) {
    case 'relation':
      return quoteQualified(source.relation);
    case 'result':
      return RESULT;
    case 'computed':
      return renderOfRow(source.function, source.argumentAlias, source.argumentType);
  }
}

/** @param exists how a filter on an embed's presence is asked. */
export function renderWhere(
  writer: SqlWriter,
  plan: ReadPlan,
  exists: (alias: string) => string,
  more: readonly string[] = [],
): string {
  const conditions = [
    ...plan.where.map((logic) => renderLogic(writer, plan.alias, logic, exists)),
    ...plan.joins.map(
      (join) =>
        `${quoteName(join.alias)}.${quoteName(join.column)} = ${quoteName(join.otherAlias)}.${quoteName(join.otherColumn)}`,
    ),
    ...more,
  ];
  return conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;
}

function renderSelect(writer: SqlWriter, owner: string, item: PlannedSelect): string {
  if (item.marksRow) return `true as ${quoteName(item.alias ?? '')}`;
  const isRowCount = item.field.name === '*' && item.aggregate !== undefined;
  let sql = isRowCount ? '*' : renderField(writer, owner, item.field);
  if (item.cast !== undefined) sql = `cast(${sql} as ${item.cast})`;
  if (item.aggregate !== undefined) sql = renderAggregate(item.aggregate, sql);
  if (item.alias !== undefined) return `${sql} as ${quoteName(item.alias)}`;
  // A cast would name the column after its type.
  return item.cast === undefined || item.aggregate !== undefined
    ? sql
    : `${sql} as ${quoteName(item.field.name)}`;
}

function renderAggregate({ name, cast }: Aggregate, sql: string): string {
  return cast === undefined ? `${name}(${sql})` : `cast(${name}(${sql}) as ${cast})`;
}

function renderEmbedColumns(embed: EmbedPlan, isGrouped: boolean): readonly string[] {
  if (!embed.visible) return [];
  const toText = (json: string) => (isGrouped ? `(${json}::text)::json` : json);
  if (embed.spread)
    return embed.spreadFields.map((field) => {
      const sql = `${quoteName(embed.alias)}.${quoteName(field.name)}`;
      const name = quoteName(field.name);
      if (field.aggregate !== undefined) return `${renderAggregate(field.aggregate, sql)} as ${name}`;
      return isJsonInParent(embed, field) && isGrouped ? `${toText(sql)} as ${name}` : sql;
    });
  const key = quoteName(embed.key);
  const json = toText(renderEmbedJson(embed));
  return [embed.toOne ? `${json} as ${key}` : `coalesce(${json}, '[]') as ${key}`];
}

function renderEmbedJson(embed: EmbedPlan): string {
  const alias = quoteName(embed.alias);
  return embed.toOne ? `row_to_json(${alias}.*)` : `${alias}.rows`;
}

/** The fields of several rows are collected as JSON. */
function isJsonInParent({ toOne }: EmbedPlan, { isJson }: SpreadField): boolean {
  return isJson || !toOne;
}

function renderEmbedJoin(writer: SqlWriter, embed: EmbedPlan): string {
  const alias = quoteName(embed.alias);
  const rows = renderRead(writer, embed.read);
  const join = embed.inner ? 'inner join lateral' : 'left join lateral';
  if (embed.toOne) return `${join} (${rows}) as ${alias} on true`;
  const { list, from } = embed.spread
    ? renderSpreadRows(writer, embed, rows)
    : renderEmbedRows(writer, embed, rows);
  const condition = embed.inner ? someRow(embed) : 'true';
  return `${join} (select ${list} from ${from}) as ${alias} on ${condition}`;
}

type EmbedRows = { readonly list: string; readonly from: string };

function renderEmbedRows({ boundedParts }: SqlWriter, embed: EmbedPlan, rows: string): EmbedRows {
  const alias = quoteName(embed.alias);
  const from = `(${rows}) as ${alias}`;
  if (boundedParts === undefined) return { list: `json_agg(${alias}) as rows`, from };
  const bytes = renderBytesOfAll(`${alias}.${JSON_ROW}::text`, boundedParts);
  return {
    // The condition always holds: it is there so that the sum, which fails beyond the bound, is taken.
    list: `case when ${bytes} >= 0 then json_agg(${alias}.${JSON_ROW}) end as rows`,
    from: `(select row_to_json(${alias}) as ${JSON_ROW} from ${from} offset 0) as ${alias}`,
  };
}

/** Each field of the rows becomes an array in the parent. */
function renderSpreadRows({ boundedParts }: SqlWriter, embed: EmbedPlan, rows: string): EmbedRows {
  const alias = quoteName(embed.alias);
  const columns = embed.spreadFields.map(({ name }) => {
    const column = quoteName(name);
    const values = `coalesce(json_agg(${alias}.${column}), '[]')`;
    if (boundedParts === undefined) return `${values} as ${column}`;
    const bytes = renderBytesOfAll(`row_to_json(${alias})::text`, boundedParts);
    return `case when coalesce(${bytes}, 0) >= 0 then ${values} end as ${column}`;
  });
  return { list: [...columns, 'count(*) as pgrst_found'].join(', '), from: `(${rows}) as ${alias}` };
}

function someRow(embed: EmbedPlan): string {
  const alias = quoteName(embed.alias);
  if (embed.toOne) return `${alias} is distinct from null`;
  return embed.spread ? `${alias}.pgrst_found > 0` : `${alias}.rows is not null`;
}

function embedExists(plan: ReadPlan, alias: string): string {
  const embed = plan.embeds.find((candidate) => candidate.alias === alias);
  return embed === undefined ? 'false' : `(${someRow(embed)})`;
}

function hasAggregate({ select, embeds }: ReadPlan): boolean {
  const isOne = ({ aggregate }: { readonly aggregate: unknown }) => aggregate !== undefined;
  return select.some(isOne) || embeds.some(({ spreadFields }) => spreadFields.some(isOne));
}

/** With an aggregate in the select, everything else that is selected groups it; JSON, which has no equality, by its text. */
function renderGroup(writer: SqlWriter, plan: ReadPlan): string {
  const terms = plan.select.flatMap((item) => {
    if (item.aggregate !== undefined) return [];
    return [item.alias === undefined ? renderField(writer, plan.alias, item.field) : quoteName(item.alias)];
  });
  for (const embed of plan.embeds) {
    if (!embed.visible) continue;
    if (!embed.spread) terms.push(`${renderEmbedJson(embed)}::text`);
    for (const field of embed.spreadFields) {
      if (field.aggregate !== undefined) continue;
      const column = `${quoteName(embed.alias)}.${quoteName(field.name)}`;
      terms.push(isJsonInParent(embed, field) ? `${column}::text` : column);
    }
  }
  return terms.length === 0 ? '' : `group by ${terms.join(', ')}`;
}

function renderOrder(writer: SqlWriter, order: readonly PlannedOrder[]): string {
  if (order.length === 0) return '';
  const terms = order.map(({ owner, field, direction, nulls }) => {
    const rendered = renderField(writer, owner, field);
    return `${rendered}${direction === undefined ? '' : ` ${direction}`}${nulls === undefined ? '' : ` nulls ${nulls}`}`;
  });
  return `order by ${terms.join(', ')}`;
}

/**
 * The limit is written out: it is a checked number, at most the row cap, and knowing it lets Postgres keep one plan
 * for all executions. The offset has no such bound and is a parameter.
 */
function renderLimit(writer: SqlWriter, { limit, offset }: ReadPlan): string {
  const rows = limit === undefined ? '' : `limit ${limit}`;
  return offset === 0 ? rows : `${rows} offset ${writer.bind(String(offset))}`.trim();
}
