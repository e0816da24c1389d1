import type { Outcome } from '../rest-error.ts';
import { takeJsonPath, takeName } from './parse-field.ts';
import type { AggregateName, EmbedItem, FieldItem, SelectItem } from './request-ast.ts';
import { parseWith, type Scanner } from './scanner.ts';

/** Each level is a nested query; deeper requests are mistakes or attacks. */
const MAX_DEPTH = 12;
/** Each embed is a join for the planner, whose work grows fast with their number. */
const MAX_EMBEDS = 60;
/** Each name is a copy of a value in every row of the answer. */
const MAX_FIELDS = 200;

const CAST = /[A-Za-z_][A-Za-z0-9_ ]*/y;
const AGGREGATE = /\.(avg|count|max|min|sum)\(\)/y;
const STAR: FieldItem = {
  kind: 'field',
  field: { name: '*', path: [] },
  alias: undefined,
  cast: undefined,
  aggregate: undefined,
};

/** `select=*` and an absent parameter. */
export const SELECT_ALL: readonly SelectItem[] = [STAR];

type Budget = { embeds: number; fields: number };

/** `select=id,alias:col::cast,rel!hint!inner(…),...spread(…),count()`. */
export function parseSelect(text: string): Outcome<readonly SelectItem[]> {
  return parseWith('select parameter', text, (scanner) =>
    takeItems(scanner, 0, { embeds: MAX_EMBEDS, fields: MAX_FIELDS }),
  );
}

function takeItems(scanner: Scanner, depth: number, budget: Budget): readonly SelectItem[] {
  const items: SelectItem[] = [];
  scanner.skipBlanks();
  if (scanner.done || scanner.sees(')')) return items;
  do {
    scanner.skipBlanks();
    items.push(takeItem(scanner, depth, budget));
    budget.fields -= 1;
    if (budget.fields < 0) scanner.fail(`at most ${MAX_FIELDS} fields and embedded resources`);
    scanner.skipBlanks();
  } while (scanner.take(','));
  return items;
}

function takeItem(scanner: Scanner, depth: number, budget: Budget): SelectItem {
  if (scanner.take('...')) return takeEmbed(scanner, takeName(scanner), undefined, true, depth, budget);
  if (scanner.take('*')) {
    if (!endsItem(scanner)) scanner.fail('")", "," or end of input');
    return STAR;
  }
  let name = takeName(scanner);
  let alias: string | undefined;
  if (scanner.sees(':') && !scanner.sees('::')) {
    scanner.expect(':');
    alias = name;
    scanner.skipBlanks();
    name = takeName(scanner);
  }
  if (name === 'count' && scanner.take('()')) return takeRowCount(scanner, alias);
  if (scanner.sees('!') || scanner.sees('(')) return takeEmbed(scanner, name, alias, false, depth, budget);
  return takeFieldRest(scanner, name, alias);
}

function takeEmbed(
  scanner: Scanner,
  name: string,
  alias: string | undefined,
  spread: boolean,
  depth: number,
  budget: Budget,
): EmbedItem {
  let hint: string | undefined;
  let join: 'inner' | 'left' | undefined;
  for (let parameters = 0; parameters < 2 && scanner.take('!'); parameters += 1) {
    const parameter = takeName(scanner);
    if (parameter === 'inner' || parameter === 'left') join ??= parameter;
    else hint ??= parameter;
  }
  scanner.expect('(');
  if (depth >= MAX_DEPTH) scanner.fail(`at most ${MAX_DEPTH} levels of embedding`);
  budget.embeds -= 1;
  if (budget.embeds < 0) scanner.fail(`at most ${MAX_EMBEDS} embedded resources`);
  const items = takeItems(scanner, depth + 1, budget);
  scanner.expect(')');
  return { kind: 'embed', name, alias, hint, join, spread, items };
}

function takeRowCount(scanner: Scanner, alias: string | undefined): FieldItem {
  const cast = takeCast(scanner);
  if (!endsItem(scanner)) scanner.fail('")", "," or end of input');
  return { ...STAR, alias, aggregate: { name: 'count', cast } };
}

function takeFieldRest(scanner: Scanner, name: string, alias: string | undefined): FieldItem {
  const path = takeJsonPath(scanner);
  const cast = takeCast(scanner);
  const aggregateName = scanner.match(AGGREGATE)?.[1] as AggregateName | undefined;
  const aggregate =
    aggregateName === undefined ? undefined : { name: aggregateName, cast: takeCast(scanner) };
  scanner.skipBlanks();
  if (!endsItem(scanner))
    scanner.fail('letter, digit, "-", "->>", "->", "::", ".", ")", "," or end of input');
  return { kind: 'field', field: { name, path }, alias, cast, aggregate };
}

function takeCast(scanner: Scanner): string | undefined {
  if (!scanner.take('::')) return undefined;
  const cast = scanner.match(CAST)?.[0].trim();
  if (cast === undefined) scanner.fail('letter or digit');
  return cast;
}

function endsItem(scanner: Scanner): boolean {
  return scanner.done || scanner.sees(',') || scanner.sees(')') || scanner.sees(' ');
}
