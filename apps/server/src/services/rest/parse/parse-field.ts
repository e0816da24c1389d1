import type { Field, JsonStep } from './request-ast.ts';
import type { Scanner } from './scanner.ts';

const NAME = /[\p{L}\p{M}\p{N}_ $]+(?:-(?!>)[\p{L}\p{M}\p{N}_ $]+)*/uy;
const JSON_KEY = /[^(\-:.,>)]+(?:-(?!>)[^(\-:.,>)]+)*/y;
const JSON_INDEX = /-?\d+(?=->|::|\.|,|\)|$)/y;
const QUOTED = /"([^"\\]*(?:\\[\s\S][^"\\]*)*)"/y;

/** A JSON array index is a Postgres integer. */
const MAX_INDEX = 2_147_483_647;

/** `"a \"quoted\" text"`: a backslash makes the next character literal. */
export function takeQuoted(scanner: Scanner): string | undefined {
  if (!scanner.sees('"')) return undefined;
  return scanner.match(QUOTED)?.[1]?.replace(/\\([\s\S])/g, '$1');
}

/** What stands in an error where a name is missing. */
export const ANY_NAME = 'field name (* or [a..z0..9_$])';

/** A relation, column, alias or hint: quoted, or letters, digits, `_`, `$`, inner spaces and dashes. */
export function takeName(scanner: Scanner, expected = ANY_NAME): string {
  const quoted = takeQuoted(scanner);
  if (quoted !== undefined) return quoted;
  const name = scanner.match(NAME)?.[0].trim() ?? '';
  if (name === '') scanner.fail(expected);
  return name;
}

function takeStepKey(scanner: Scanner): Omit<JsonStep, 'asText'> {
  const start = scanner.position;
  const index = scanner.match(JSON_INDEX)?.[0];
  if (index !== undefined && Math.abs(Number(index)) <= MAX_INDEX) return { key: index, isIndex: true };
  scanner.position = start;
  const key = takeQuoted(scanner) ?? scanner.match(JSON_KEY)?.[0].trim();
  if (key === undefined)
    scanner.fail(
      scanner.take('-') ? 'digit' : '"-", digit or any non reserved character different from: .,>()',
    );
  return { key, isIndex: false };
}

/** `->a->0->>b`, possibly empty. */
export function takeJsonPath(scanner: Scanner): readonly JsonStep[] {
  const steps: JsonStep[] = [];
  while (scanner.sees('->')) {
    const asText = scanner.take('->>');
    if (!asText) scanner.expect('->');
    steps.push({ asText, ...takeStepKey(scanner) });
  }
  return steps;
}

/** A column, followed by an optional JSON path, with blanks around. */
export function takeField(scanner: Scanner, expected = ANY_NAME): Field {
  scanner.skipBlanks();
  const name = takeName(scanner, expected);
  const path = takeJsonPath(scanner);
  scanner.skipBlanks();
  return { name, path };
}
