import type { PlannedField } from '../plan/plan-types.ts';
import type { QualifiedName } from '../schema-cache/schema-cache.ts';
import { quoteName, quoteQualified, type SqlWriter } from './sql-writer.ts';

/** `"links"."title"`, `"links".*`, or a place in a JSON column; other types are made JSON first. */
export function renderField(writer: SqlWriter, owner: string, field: PlannedField): string {
  if (field.name === '*' && field.path.length === 0) return `${quoteName(owner)}.*`;
  const column =
    field.computedBy === undefined
      ? `${quoteName(owner)}.${quoteName(field.name)}`
      : renderOfRow(field.computedBy, owner, field.computedBy.relation);
  if (field.writtenBy !== undefined) return `${quoteQualified(field.writtenBy)}(${column})`;
  if (field.path.length === 0) return column;
  // Left as it is when it is JSON already, so that an index on the path applies.
  const isJson = field.type === 'json' || field.type === 'jsonb';
  const steps = field.path.map(({ asText, key, isIndex }) => {
    const type = isIndex ? 'int' : 'text';
    return `${asText ? '->>' : '->'}${writer.bind(key)}::${type}`;
  });
  return `${isJson ? column : `to_jsonb(${column})`}${steps.join('')}`;
}

/**
 * What a function makes of a row. The cast chooses among overloads, and turns what a change or a call gave into rows of their
 * relation; without the star the name would be that of a column where the row has one.
 */
export function renderOfRow(routine: QualifiedName, owner: string, relation: QualifiedName): string {
  return `${quoteQualified(routine)}(${quoteName(owner)}.*::${quoteQualified(relation)})`;
}
