import { fail, type Outcome, ok } from '../outcome.ts';
import { restError } from '../rest-error.ts';

const FIELD = /(?:"([^"]*(?:""[^"]*)*)"|([^,"\r\n]*))(,|\r?\n|$)/y;

/** Reads CSV (RFC 4180) whose first line names the columns; an unquoted or quoted `NULL` is null. */
export function parseCsv(text: string): Outcome<readonly Record<string, string | null>[]> {
  const lines = splitCsv(text);
  if (lines === undefined) return fail(restError.invalidBody('Invalid CSV'));
  const [header, ...rows] = lines;
  if (header === undefined) return fail(restError.invalidBody('Empty or invalid CSV'));
  if (rows.some((row) => row.length !== header.length))
    return fail(restError.invalidBody('All lines must have same number of fields'));
  return ok(
    rows.map((row) =>
      Object.fromEntries(
        header.map((name, index) => [name, row[index] === 'NULL' ? null : (row[index] ?? null)]),
      ),
    ),
  );
}

function splitCsv(text: string): string[][] | undefined {
  const lines: string[][] = [];
  let line: string[] = [];
  let position = 0;
  while (position < text.length) {
    FIELD.lastIndex = position;
    const match = FIELD.exec(text);
    if (match === null) return undefined;
    position = FIELD.lastIndex;
    line.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === ',') {
      if (position === text.length) line.push('');
      else continue;
    }
    lines.push(line);
    line = [];
  }
  return lines;
}
