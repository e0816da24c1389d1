import { takeQuoted } from './parse-field.ts';
import type { CompareOperator, IsValue, Operation, TextSearchOperator } from './request-ast.ts';
import type { Scanner } from './scanner.ts';

const QUANTIFIABLE = /(eq|gte|gt|lte|lt|ilike|like|imatch|match)(?:\((any|all)\))?\./y;
const SIMPLE = /(neq|cs|cd|ov|sl|sr|nxl|nxr|adj)\./y;
const SEARCH = /(fts|plfts|phfts|wfts)(?:\(([A-Za-z0-9_ $]+)\))?\./y;
const IS_VALUE = /not_null|null|true|false|unknown/iy;
const LIST_ITEM = /[^,)]*/y;
const BRACES = /\{[^{}]*\}/y;

export type NegatableOperation = { readonly negated: boolean; readonly operation: Operation };

/** How a value ends: at the end of the parameter, or at the next `,` or `)` of a logic tree. */
export type TakeValue = (scanner: Scanner) => string;

/** A filter parameter's value reaches to its end, whatever characters it holds. */
export function takeWholeValue(scanner: Scanner): string {
  const value = scanner.text.slice(scanner.position);
  scanner.position = scanner.text.length;
  return value;
}

/** Inside `or=(…)`: quoted, an array literal in braces, or anything up to `,` or `)`. */
export function takeLogicValue(scanner: Scanner): string {
  return takeQuotedItem(scanner) ?? takeBraces(scanner) ?? scanner.match(LIST_ITEM)?.[0] ?? '';
}

function takeBraces(scanner: Scanner): string | undefined {
  return scanner.sees('{') ? scanner.match(BRACES)?.[0] : undefined;
}

/** A quoted item counts as quoted only when a `,` or `)` follows; otherwise the quotes are part of the text. */
function takeQuotedItem(scanner: Scanner): string | undefined {
  const start = scanner.position;
  const quoted = takeQuoted(scanner);
  if (quoted !== undefined && (scanner.done || scanner.sees(',') || scanner.sees(')'))) return quoted;
  scanner.position = start;
  return undefined;
}

/** `not.eq.5`, `in.(1,2)`, `is.null`, `fts(portuguese).gato`, `like(any).{a*,b*}`. */
export function takeOperation(scanner: Scanner, takeValue: TakeValue): NegatableOperation {
  const negated = scanner.take('not.');
  return { negated, operation: takePositive(scanner, takeValue) };
}

function takePositive(scanner: Scanner, takeValue: TakeValue): Operation {
  if (scanner.take('in.')) return { kind: 'in', values: takeList(scanner) };
  if (scanner.take('is.')) return { kind: 'is', value: takeIsValue(scanner) };
  if (scanner.take('isdistinct.')) return { kind: 'isdistinct', value: takeValue(scanner) };
  const quantifiable = scanner.match(QUANTIFIABLE);
  if (quantifiable !== undefined)
    return {
      kind: 'compare',
      operator: quantifiable[1] as CompareOperator,
      quantifier: quantifiable[2] as 'any' | 'all' | undefined,
      value: takeValue(scanner),
    };
  const simple = scanner.match(SIMPLE);
  if (simple !== undefined)
    return {
      kind: 'compare',
      operator: simple[1] as CompareOperator,
      quantifier: undefined,
      value: takeValue(scanner),
    };
  const search = scanner.match(SEARCH);
  if (search === undefined) scanner.fail('"not" or operator (eq, gt, ...)');
  return {
    kind: 'search',
    operator: search[1] as TextSearchOperator,
    language: search[2]?.trim(),
    value: takeValue(scanner),
  };
}

function takeIsValue(scanner: Scanner): IsValue {
  const value = scanner.match(IS_VALUE)?.[0].toLowerCase();
  if (value === undefined) scanner.fail('isVal: (null, not_null, true, false, unknown)');
  return value as IsValue;
}

/** `(a,"b,c",d)`; the empty list `()` holds one empty item, as in PostgREST. */
function takeList(scanner: Scanner): readonly string[] {
  scanner.skipBlanks();
  scanner.expect('(');
  scanner.skipBlanks();
  const items: string[] = [];
  do items.push(takeQuotedItem(scanner) ?? scanner.match(LIST_ITEM)?.[0] ?? '');
  while (scanner.take(','));
  scanner.expect(')');
  scanner.skipBlanks();
  return items;
}

const OPERATOR_PREFIX =
  /^(?:not\.|(?:eq|gte?|lte?|i?like|i?match)(?:\((?:any|all)\))?\.|(?:neq|in|is|isdistinct|cs|cd|ov|sl|sr|nxl|nxr|adj)\.|(?:pl|ph|w)?fts(?:\([A-Za-z0-9_ $]+\))?\.)/;

/** Tells a filter from a function's argument: both are `name=value` on a function called by GET. */
export function looksLikeOperation(value: string): boolean {
  return OPERATOR_PREFIX.test(value);
}
