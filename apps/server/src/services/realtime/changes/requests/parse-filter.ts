export const FILTER_OPERATORS = [
  'eq',
  'neq',
  'lt',
  'lte',
  'gt',
  'gte',
  'in',
  'like',
  'ilike',
  'is',
  'match',
  'imatch',
  'isdistinct',
] as const;
export type FilterOperator = (typeof FILTER_OPERATORS)[number];

/** `column=[not.]operator.value` (protocol note, section 3.3). */
export type Filter = {
  readonly column: string;
  readonly operator: FilterOperator;
  readonly negated: boolean;
  /** Unquoted; for `in` the text between the parentheses, whose items `items` holds. */
  readonly value: string;
  /** The list of `in`; null is the unquoted word NULL. */
  readonly items: readonly (string | null)[];
};

export type ParsedFilters =
  | { readonly ok: true; readonly filters: readonly Filter[] }
  | { readonly ok: false; readonly reason: string };

/** More values than this are refused, as by the original. */
const MAX_IN_VALUES = 100;

/** Reads the conditions, all of which must hold. @returns the reason in the original server's words. */
export function parseFilter(text: string): ParsedFilters {
  if (text.trim() === '') return { ok: true, filters: [] };
  const filters: Filter[] = [];
  for (const segment of splitOutside(text.trim(), isValueStart)) {
    const parsed = parseCondition(segment.trim());
    if (typeof parsed === 'string')
      return { ok: false, reason: `Error parsing \`filter\` params: ${parsed}` };
    filters.push(parsed);
  }
  return { ok: true, filters };
}

/** @returns the condition, or what is wrong with it. */
function parseCondition(text: string): Filter | string {
  if (text === '') return 'filter must not contain empty segments (check for extra commas)';
  const equals = text.indexOf('=');
  if (equals < 0) return list([text]);
  const rest = text.slice(equals + 1);
  const negated = rest.startsWith('not.');
  const condition = negated ? rest.slice(4) : rest;
  const dot = condition.indexOf('.');
  if (dot < 0) return list([condition]);
  const operator = FILTER_OPERATORS.find((name) => name === condition.slice(0, dot));
  const value = condition.slice(dot + 1);
  if (operator === undefined) return list([condition.slice(0, dot), value]);
  const column = text.slice(0, equals);
  if (operator !== 'in') return { column, operator, negated, value: unquote(value), items: [] };
  if (value.length < 2 || !value.startsWith('(') || !value.endsWith(')'))
    return '`in` filter value must be wrapped by parentheses';
  const inner = value.slice(1, -1);
  const items = inner === '' ? [] : splitOutside(inner, isItemStart).map(toItem);
  if (items.length > MAX_IN_VALUES) return `too many values for \`in\` filter. Maximum ${MAX_IN_VALUES}`;
  return { column, operator, negated, value: inner, items };
}

function list(parts: readonly string[]): string {
  return `[${parts.map((part) => JSON.stringify(part)).join(', ')}]`;
}

/** A quote opens a quoted value only where a value begins: elsewhere it is a character like any other. */
function isValueStart(before: string): boolean {
  return before === '.' || before === '(' || before === ',';
}
function isItemStart(before: string): boolean {
  return before === '' || before === ',';
}

/** Splits at commas that stand neither in quotes nor in parentheses. */
function splitOutside(text: string, opensQuote: (before: string) => boolean): string[] {
  const parts: string[] = [];
  let start = 0;
  let depth = 0;
  let isQuoted = false;
  let before = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (isQuoted) {
      if (character === '\\') at += 1;
      else if (character === '"') isQuoted = false;
    } else if (character === '"' && opensQuote(before)) isQuoted = true;
    else if (character === '(') depth += 1;
    else if (character === ')') depth = Math.max(0, depth - 1);
    else if (character === ',' && depth === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
    if (character !== ' ') before = character;
  }
  parts.push(text.slice(start));
  return parts;
}

const QUOTED = /^"((?:[^"\\]|\\[\s\S])*)"$/;

/** Text that is quoted but for its end is taken as it stands. */
function unquote(text: string): string {
  const inner = QUOTED.exec(text)?.[1];
  return inner === undefined ? text : inner.replaceAll(/\\([\s\S])/g, '$1');
}

function toItem(text: string): string | null {
  const item = text.trim();
  return item.toLowerCase() === 'null' ? null : unquote(item);
}
