import type { CompareOperator, IsValue, TextSearchOperator } from '../parse/request-ast.ts';
import type { PlannedField, PlannedLogic } from '../plan/plan-types.ts';
import { renderField } from './render-field.ts';
import { quoteQualified, type SqlWriter } from './sql-writer.ts';

const COMPARE: Readonly<Record<CompareOperator, string>> = {
  eq: '=',
  neq: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  like: 'like',
  ilike: 'ilike',
  match: '~',
  imatch: '~*',
  cs: '@>',
  cd: '<@',
  ov: '&&',
  sl: '<<',
  sr: '>>',
  nxl: '&>',
  nxr: '&<',
  adj: '-|-',
};

const SEARCH: Readonly<Record<TextSearchOperator, string>> = {
  fts: 'to_tsquery',
  plfts: 'plainto_tsquery',
  phfts: 'phraseto_tsquery',
  wfts: 'websearch_to_tsquery',
};

const IS: Readonly<Record<IsValue, string>> = {
  null: 'null',
  not_null: 'not null',
  true: 'true',
  false: 'false',
  unknown: 'unknown',
};

/** How `rel=is.null` is asked: of the joined embed in a read, by a sub-query in a count. */
export type RenderEmbedExists = (embedAlias: string) => string;

/** @param owner alias of the row that the fields belong to. */
export function renderLogic(
  writer: SqlWriter,
  owner: string,
  logic: PlannedLogic,
  renderEmbedExists: RenderEmbedExists,
): string {
  switch (logic.kind) {
    case 'group': {
      const children = logic.children.map((child) => renderLogic(writer, owner, child, renderEmbedExists));
      return `${logic.negated ? 'not ' : ''}(${children.join(` ${logic.operator} `)})`;
    }
    case 'embed-exists':
      return `${logic.negated ? 'not ' : ''}${renderEmbedExists(logic.embedAlias)}`;
    case 'filter':
      return `${logic.negated ? 'not ' : ''}${renderFilter(writer, owner, logic)}`;
  }
}

function renderFilter(
  writer: SqlWriter,
  owner: string,
  { field, operation }: Extract<PlannedLogic, { kind: 'filter' }>,
): string {
  switch (operation.kind) {
    case 'compare': {
      const { operator, quantifier, value } = operation;
      const isPattern = operator === 'like' || operator === 'ilike';
      const bound = writer.bind(isPattern ? value.replaceAll('*', '%') : value);
      const left = renderField(writer, owner, field);
      if (quantifier !== undefined) return `${left} ${COMPARE[operator]} ${quantifier} (${bound})`;
      return `${left} ${COMPARE[operator]} ${isPattern ? bound : renderRead(field, bound)}`;
    }
    case 'in': {
      // One array: the statement's text is the same for lists of any length.
      const [only, another] = operation.values;
      const list = only === '' && another === undefined ? [] : operation.values;
      const bound = writer.bind(toArrayLiteral(list));
      const items =
        field.readBy === undefined
          ? bound
          : `array(select ${renderRead(field, 'item')} from unnest(${bound}::text[]) as item)`;
      return `${renderField(writer, owner, field)} = any (${items})`;
    }
    case 'is':
      return `${renderField(writer, owner, field)} is ${IS[operation.value]}`;
    case 'isdistinct':
      return `${renderField(writer, owner, field)} is distinct from ${renderRead(field, writer.bind(operation.value))}`;
    case 'search': {
      const { language, operator, value } = operation;
      const query = `${SEARCH[operator]}(${renderLanguage(writer, language)}${writer.bind(value)})`;
      return `${renderSearched(writer, owner, field, language)} @@ ${query}`;
    }
  }
}

/** A value as the field's domain reads it, where it has a way of its own. */
function renderRead({ readBy }: PlannedField, value: string): string {
  return readBy === undefined ? value : `${quoteQualified(readBy)}(${value}::text)`;
}

function renderSearched(
  writer: SqlWriter,
  owner: string,
  field: PlannedField,
  language: string | undefined,
): string {
  const rendered = renderField(writer, owner, field);
  const isVector = field.type === 'tsvector' && field.path.length === 0;
  return isVector ? rendered : `to_tsvector(${renderLanguage(writer, language)}${rendered})`;
}

function renderLanguage(writer: SqlWriter, language: string | undefined): string {
  return language === undefined ? '' : `${writer.bind(language)}::regconfig, `;
}

/** `{"a","b \"c\""}`: every item quoted, so that none is read as null or as a delimiter. */
export function toArrayLiteral(items: readonly string[]): string {
  const quoted = items.map((item) => `"${item.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`);
  return `{${quoted.join(',')}}`;
}
