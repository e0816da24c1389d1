/** Collects the values of one statement. Text is composed by the callers; a value never enters it. */
export class SqlWriter {
  readonly values: unknown[] = [];
  /** Among how many embeds the bound on the answer's bytes is divided; undefined where only its end is measured. */
  readonly boundedParts: number | undefined;

  constructor(boundedParts?: number) {
    this.boundedParts = boundedParts;
  }

  /** Binds a value of unknown type, so that Postgres gives it the type its place asks for. */
  bind(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/** Quotes an identifier: the only way a name from outside enters a statement. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function quoteQualified({ schema, name }: { readonly schema: string; readonly name: string }): string {
  return `${quoteName(schema)}.${quoteName(name)}`;
}

/** Quotes a text that the database itself gave (a column's name), where a parameter has no place. */
export function quoteLiteral(text: string): string {
  const quoted = `'${text.replaceAll("'", "''")}'`;
  return quoted.includes('\\') ? ` E${quoted.replaceAll('\\', '\\\\')}` : quoted;
}
