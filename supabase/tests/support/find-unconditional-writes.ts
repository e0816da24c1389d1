import { loadModule, parsePlPgSQLSync, parseSync } from 'libpg-query';

/** Loads Postgres' own parser: once, before `findUnconditionalWrites`. */
export const loadParser = loadModule;

/**
 * The updates and deletions without a condition in a statement, in those within it, or in the body of the function it creates: what the
 * extension safeupdate refuses, which the hosted platform loads for whatever its table API calls.
 */
export function findUnconditionalWrites(statement: string): readonly string[] {
  return [...walk(parseSync(statement), statement)];
}

type Tree = { readonly [key: string]: Tree | undefined };

function* walk(node: unknown, source: string): Generator<string> {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node as Tree)) {
    if (value === undefined) continue;
    if ((key === 'UpdateStmt' || key === 'DeleteStmt') && value['whereClause'] === undefined) yield source;
    if (key === 'CreateFunctionStmt') yield* walkBody(value, source);
    else if (key === 'PLpgSQL_stmt_dynexecute') yield* walkText(value);
    else if (key === 'PLpgSQL_expr') yield* walkExpression(value);
    else yield* walk(value, source);
  }
}

function* walkBody(create: Tree, source: string): Generator<string> {
  const { language, body } = readOptions(create);
  if (language === 'plpgsql') yield* walk(parsePlPgSQLSync(source), source);
  else if (body !== undefined) yield* findUnconditionalWrites(body);
  // A body without quotes is part of the statement's own tree.
  else yield* walk(create['sql_body'], source);
}

type Text = { readonly String?: { readonly sval: string } };
type Option = {
  readonly DefElem: {
    readonly defname: string;
    readonly arg?: Text & { readonly List?: { readonly items: readonly Text[] } };
  };
};

function readOptions(create: Tree): {
  readonly language: string | undefined;
  readonly body: string | undefined;
} {
  const options = (create['options'] ?? []) as readonly Option[];
  const read = (name: string) => options.find(({ DefElem }) => DefElem.defname === name)?.DefElem.arg;
  return { language: read('language')?.String?.sval, body: read('as')?.List?.items[0]?.String?.sval };
}

/** A statement is SQL as it stands; what is assigned or asked holds no write. */
function* walkExpression({ query, parseMode }: Tree): Generator<string> {
  if (Number(parseMode) === 0) yield* findUnconditionalWrites(String(query));
}

/** A statement that is put together at run time cannot be read: it must not be a write at all. */
function* walkText(execute: Tree): Generator<string> {
  const text = JSON.stringify(execute['query']);
  if (/\b(?:update|delete)\b/i.test(text)) yield text;
}
