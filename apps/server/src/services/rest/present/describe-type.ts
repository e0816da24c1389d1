/** How OpenAPI 2.0 names a Postgres type: `format` is its name (of whole numbers, their size), `type` the JSON that it is written as; a document has none. */
export type TypeDescription = {
  readonly type?: JsonType;
  readonly format: string;
  readonly items?: { readonly type?: JsonType };
};

export type JsonType = 'string' | 'boolean' | 'integer' | 'number' | 'array';

const TYPES: Readonly<Record<string, JsonType | undefined>> = {
  boolean: 'boolean',
  smallint: 'integer',
  integer: 'integer',
  bigint: 'integer',
  numeric: 'number',
  real: 'number',
  'double precision': 'number',
  json: undefined,
  jsonb: undefined,
};

export function toJsonType(type: string): JsonType | undefined {
  if (Object.hasOwn(TYPES, type)) return TYPES[type];
  return type.endsWith('[]') ? 'array' : 'string';
}

/** OpenAPI's own names of whole numbers, and the long name of what Postgres calls `bpchar` where no length is given. */
const FORMATS = new Map([
  ['smallint', 'int32'],
  ['integer', 'int32'],
  ['bigint', 'int64'],
  ['bpchar', 'character'],
  ['bpchar[]', 'character[]'],
]);

export function toFormat(type: string): string {
  return FORMATS.get(type) ?? type;
}

export function describeType(type: string): TypeDescription {
  const json = toJsonType(type);
  const item = json === 'array' ? toJsonType(type.slice(0, -2)) : undefined;
  return {
    ...(json === undefined ? {} : { type: json }),
    format: toFormat(type),
    ...(json === 'array' ? { items: item === undefined ? {} : { type: item } } : {}),
  };
}

/** A column's default as a value, where it can be told without asking the database; an expression of text stays as it is written. */
export function describeDefault(type: string, expression: string): unknown {
  if (toJsonType(type) === 'string') {
    const suffix = `::${type}`;
    return expression.endsWith(suffix)
      ? expression.slice(0, -suffix.length).replace(/^'+|'+$/g, '')
      : expression;
  }
  try {
    return JSON.parse(expression);
  } catch {
    return undefined;
  }
}

/** A comment's first line says what something is, the rest explains it. */
export function splitComment(comment: string | undefined): {
  readonly summary?: string;
  readonly description?: string;
} {
  if (comment === undefined) return {};
  const end = comment.indexOf('\n');
  if (end === -1) return { summary: comment };
  const description = comment.slice(end).replace(/^\n+/, '');
  return { summary: comment.slice(0, end), ...(description === '' ? {} : { description }) };
}
