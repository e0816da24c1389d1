/**
 * Puts ids into a scenario's statement: `:link` becomes the quoted id given under `link`, so that a table of scenarios
 * reads as plain SQL.
 */
export function nameRows(text: string, ids: Readonly<Record<string, string>>): string {
  return text.replace(/(?<!:):([a-zA-Z]+)/g, (_, name: string) => {
    const id = ids[name];
    if (id === undefined || !/^[0-9a-f-]{36}$/.test(id))
      throw new Error(`the scenario names no row :${name}`);
    return `'${id}'`;
  });
}
