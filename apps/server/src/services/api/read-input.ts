import * as v from 'valibot';
import { type ContentFault, Problem } from './problem.ts';

/** Reads a body by its schema. @throws Problem invalid_content, with each field that is wrong */
export function readContent<T>(schema: v.GenericSchema<unknown, T>, body: unknown): T {
  const parsed = v.safeParse(schema, body, { message: describeIssue });
  if (parsed.success) return parsed.output;
  const errors = parsed.issues.slice(0, 20).map(toFault);
  throw new Problem('invalid_content', { detail: errors[0]?.detail, errors });
}

/** Reads the query by its schema. @throws Problem invalid_request */
export function readQuery<T>(schema: v.GenericSchema<unknown, T>, query: unknown): T {
  const parsed = v.safeParse(schema, query, { message: describeIssue });
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  throw new Problem('invalid_request', { detail: `${v.getDotPath(issue) ?? 'consulta'}: ${issue.message}` });
}

function toFault(issue: v.BaseIssue<unknown>): ContentFault {
  const path = (issue.path ?? []).map(({ key }) => String(key).replaceAll('~', '~0').replaceAll('/', '~1'));
  return { pointer: ['#', ...path.map(encodeURIComponent)].join('/'), detail: issue.message };
}

/** Says what is wrong where the schema has no words of its own. */
function describeIssue({ kind, type, expected, received }: v.BaseIssue<unknown>): string {
  if (kind === 'schema' && expected === 'never') return 'Campo desconhecido';
  if (kind === 'schema' && received === 'undefined') return 'Falta este campo';
  if (type === 'uuid') return 'Não é um id';
  return expected === null ? 'Valor inválido' : `Esperado ${expected}, recebido ${received}`;
}
