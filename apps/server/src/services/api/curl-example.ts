import type { Operation } from './operation.ts';

/** What stands for an id in the commands: `$LINK_ID`, `$FOLDER_ID` … */
export function idVariable({ path }: Pick<Operation, 'path'>): string {
  const NAMES: Readonly<Record<string, string>> = {
    links: 'LINK_ID',
    folders: 'FOLDER_ID',
    categories: 'CATEGORY_ID',
    tags: 'TAG_ID',
  };
  return NAMES[path.split('/')[1] ?? ''] ?? 'ID';
}

/** The command that calls an operation from a shell, with the token in `$LINKOTECA_TOKEN`. Pure. @param server address of the API */
export function curlExample(operation: Operation, server: string): string {
  const { method, path, example } = operation;
  const query = example.query === undefined ? '' : `?${example.query}`;
  const url = `${server}${path.replace('{id}', `$${idVariable(operation)}`)}${query}`;
  const lines = [
    `curl -sS ${method === 'GET' ? '' : `-X ${method} `}"${url}"`,
    '-H "Authorization: Bearer $LINKOTECA_TOKEN"',
    ...(example.idempotencyKey === undefined ? [] : [`-H "Idempotency-Key: ${example.idempotencyKey}"`]),
    ...(example.content === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d ${quote(JSON.stringify(example.content))}`]),
  ];
  return lines.join(' \\\n  ');
}

/** In single quotation marks, but for variables. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`).replaceAll(/\$[A-Z_]+/g, (name) => `'"${name}"'`)}'`;
}
