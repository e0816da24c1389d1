import { fail, type Outcome, ok, restError } from '../rest-error.ts';
import { takeField, takeJsonPath, takeName } from './parse-field.ts';
import { parseLogicTree } from './parse-logic-tree.ts';
import { looksLikeOperation, takeOperation, takeWholeValue } from './parse-operation.ts';
import { parseSelect, SELECT_ALL } from './parse-select.ts';
import type { AtPath, Field, LogicTree, OrderTerm, ParsedQuery, SelectItem } from './request-ast.ts';
import { END, parseWith, type Scanner } from './scanner.ts';

type Draft = {
  select: readonly SelectItem[] | undefined;
  columns: readonly string[] | undefined;
  onConflict: readonly string[] | undefined;
  readonly logic: AtPath<LogicTree>[];
  readonly order: AtPath<readonly OrderTerm[]>[];
  readonly limits: AtPath<number>[];
  readonly offsets: AtPath<number>[];
  readonly callArguments: (readonly [string, string])[];
};

/**
 * Sorts the decoded query parameters into the request's parts.
 * @param isCall on a function called by GET, a value that is no operation is an argument.
 */
export function parseQuery(
  pairs: readonly (readonly [string, string | undefined])[],
  isCall: boolean,
): Outcome<ParsedQuery> {
  const draft: Draft = {
    select: undefined,
    columns: undefined,
    onConflict: undefined,
    logic: [],
    order: [],
    limits: [],
    offsets: [],
    callArguments: [],
  };
  for (const [key, value] of pairs) {
    if (value === undefined) continue;
    const failed = addParameter(draft, key, value, isCall);
    if (failed !== undefined) return failed;
  }
  return ok({ ...draft, select: draft.select ?? SELECT_ALL });
}

type Failed = ReturnType<typeof fail> | undefined;

function addParameter(draft: Draft, key: string, value: string, isCall: boolean): Failed {
  switch (key) {
    case 'select':
      // `select=` says nothing, and what says nothing of columns means all of them.
      return addOnce(draft, 'select', () => (value.trim() === '' ? ok(SELECT_ALL) : parseSelect(value)));
    case 'columns':
      return addOnce(draft, 'columns', () => parseNames('columns parameter', value));
    case 'on_conflict':
      return addOnce(draft, 'onConflict', () => parseNames('on_conflict parameter', value));
  }
  switch (key.slice(key.lastIndexOf('.') + 1)) {
    case 'order':
      return addAtPath(draft.order, key, parseOrder(value));
    case 'limit':
      return addAtPath(draft.limits, key, parseCount('limit', value));
    case 'offset':
      return addAtPath(draft.offsets, key, parseCount('offset', value));
    case 'and':
    case 'or':
      return addLogic(draft, key, value);
  }
  // Browsers and scripts may carry the gateway's key in the address; it is not a column.
  if (key === 'apikey' && !looksLikeOperation(value)) return undefined;
  if (isCall && !key.includes('.') && !looksLikeOperation(value)) {
    draft.callArguments.push([key, value]);
    return undefined;
  }
  return addFilter(draft, key, value);
}

/** The first parameter of a kind wins. */
function addOnce<K extends 'select' | 'columns' | 'onConflict'>(
  draft: Draft,
  key: K,
  parse: () => Outcome<Draft[K]>,
): Failed {
  if (draft[key] !== undefined) return undefined;
  const parsed = parse();
  if (!parsed.ok) return parsed;
  draft[key] = parsed.value;
  return undefined;
}

function addAtPath<T>(list: AtPath<T>[], key: string, value: Outcome<T>): Failed {
  if (!value.ok) return value;
  if (!key.includes('.')) {
    list.push({ path: [], value: value.value });
    return undefined;
  }
  const path = parseTreePath(key);
  if (!path.ok) return path;
  list.push({ path: path.value.path, value: value.value });
  return undefined;
}

function addLogic(draft: Draft, key: string, value: string): Failed {
  const path = parseTreePath(key);
  if (!path.ok) return path;
  const negated = path.value.path.at(-1) === 'not';
  const tree = parseLogicTree(`${negated ? 'not.' : ''}${path.value.field.name}`, value);
  if (!tree.ok) return tree;
  draft.logic.push({
    path: negated ? path.value.path.slice(0, -1) : path.value.path,
    value: tree.value,
  });
  return undefined;
}

function addFilter(draft: Draft, key: string, value: string): Failed {
  const path = parseTreePath(key);
  if (!path.ok) return path;
  const parsed = parseWith('filter', value, (scanner) => takeOperation(scanner, takeWholeValue));
  if (!parsed.ok) return parsed;
  const { negated, operation } = parsed.value;
  draft.logic.push({
    path: path.value.path,
    value: { kind: 'filter', field: path.value.field, negated, operation },
  });
  return undefined;
}

const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** `categories.folders.data->>name`: the embeds to walk through, then the field. */
function parseTreePath(key: string): Outcome<{ readonly path: readonly string[]; readonly field: Field }> {
  if (PLAIN_NAME.test(key)) return ok({ path: [], field: { name: key, path: [] } });
  return parseWith('tree path', key, (scanner) => {
    const names = [takeName(scanner)];
    while (scanner.take('.')) names.push(takeName(scanner));
    const name = names.pop() ?? '';
    return { path: names, field: { name, path: takeJsonPath(scanner) } };
  });
}

const INTEGER = /^[+-]?\d{1,40}$/;

/**
 * A row count: larger than any table is as good as exact, so it is cut to a safe integer. As in PostgREST, an offset before the first row is the first
 * row, while a limit below zero is a fault.
 */
function parseCount(what: 'limit' | 'offset', value: string): Outcome<number> {
  if (!INTEGER.test(value))
    return fail(restError.syntax(`"failed to parse ${what} parameter"`, `expecting an integer`));
  const count = Number(value);
  if (count < 0 && what === 'limit')
    return fail(restError.invalidRange('Limit should be greater than or equal to zero.'));
  return ok(Math.min(Math.max(count, 0), Number.MAX_SAFE_INTEGER));
}

/** A list of column names: `columns="title","url"` and `on_conflict=user_id,name`. Repeated names count once. */
function parseNames(label: string, text: string): Outcome<readonly string[]> {
  return parseWith(label, text, (scanner) => {
    const names = new Set<string>();
    do {
      scanner.skipBlanks();
      names.add(takeName(scanner));
      scanner.skipBlanks();
    } while (scanner.take(','));
    return [...names];
  });
}

const DIRECTION = /\.(asc|desc)/y;
const NULLS = /\.nulls(first|last)/y;

/** `order=name.desc.nullslast,categories(name),data->>age.asc`. */
function parseOrder(text: string): Outcome<readonly OrderTerm[]> {
  return parseWith('order', text, (scanner) => {
    const terms: OrderTerm[] = [];
    do terms.push(takeTerm(scanner));
    while (scanner.take(','));
    return terms;
  });
}

function takeTerm(scanner: Scanner): OrderTerm {
  scanner.skipBlanks();
  const name = takeName(scanner);
  const related = scanner.take('(');
  const field = related ? takeField(scanner) : { name, path: takeJsonPath(scanner) };
  if (related) scanner.expect(')');
  const direction = scanner.match(DIRECTION)?.[1] as 'asc' | 'desc' | undefined;
  const nulls = scanner.match(NULLS)?.[1] as 'first' | 'last' | undefined;
  if (direction === undefined && nulls === undefined && scanner.take('.'))
    scanner.fail('"asc", "desc", "nullsfirst" or "nullslast"');
  scanner.skipBlanks();
  if (!scanner.done && !scanner.sees(',')) {
    if (nulls === undefined) scanner.fail(`delimiter (.), "," or ${END}`);
    // PostgREST quotes otherwise what stands where nothing can follow.
    scanner.fail(`"," or ${END}`, "'");
  }
  return { relation: related ? name : undefined, field, direction, nulls };
}
