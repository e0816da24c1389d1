export type Environment = Readonly<Record<string, string | undefined>>;
export type Table = { readonly [name: string]: unknown };

/** An empty variable counts as one that is not there. */
export function given(environment: Environment, name: string): string | undefined {
  const text = environment[name]?.trim();
  return text === '' ? undefined : text;
}

/** As the platform's command line names the variable of a key. */
export function variableOf(path: string): string {
  return `SUPABASE_${path.replaceAll('.', '_').toUpperCase()}`;
}

/** The text of a key, the parts of a list with commas between; undefined where it is not there or stands for a variable that is not. */
export function readPath(file: Table, path: string, environment: Environment): string | undefined {
  let value: unknown = file;
  for (const name of path.split('.'))
    value = typeof value === 'object' && value !== null ? (value as Table)[name] : undefined;
  if (value === undefined) return undefined;
  const texts = (Array.isArray(value) ? value : [value]).flatMap((part) => {
    const text = String(part).trim();
    const [, variable] = /^env\((\w+)\)$/.exec(text) ?? [];
    return variable === undefined ? [text] : (given(environment, variable) ?? []);
  });
  return texts.length === 0 ? undefined : texts.join(',');
}
