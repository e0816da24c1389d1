import type { Privileges } from '../run/read-privileges.ts';
import type { RelationNotes } from '../schema-cache/forms.ts';
import { type Column, keyOf, type Relation, type SchemaCache } from '../schema-cache/schema-cache.ts';
import { describeDefault, describeType, splitComment } from './describe-type.ts';

const ref = (name: string) => ({ $ref: `#/parameters/${name}` });

/** What one may do at a relation's address: what the caller may, and the relation takes. */
export function describePath(cache: SchemaCache, relation: Relation, privileges: Privileges) {
  const { name, columns, comment } = relation;
  const notes = notesOf(cache, relation);
  const shared = { tags: [name], ...splitComment(comment) };
  const filters = [...columns.keys()].map((column) => `rowFilter.${name}.${column}`);
  const rows = { type: 'array', items: { $ref: `#/definitions/${name}` } };
  const reading = ['select', 'order', 'range', 'rangeUnit', 'offset', 'limit', 'preferCount'];
  const operations = {
    get: {
      may: privileges.select.includes(name),
      parameters: [...filters, ...reading],
      responses: { 200: { description: 'OK', schema: rows }, 206: { description: 'Partial Content' } },
    },
    post: {
      may: privileges.insert.includes(name) && notes?.insertable !== false,
      parameters: [`body.${name}`, 'select', 'preferPost'],
      responses: { 201: { description: 'Created' } },
    },
    delete: {
      may: privileges.delete.includes(name) && notes?.deletable !== false,
      parameters: [...filters, 'preferReturn'],
      responses: { 204: { description: 'No Content' } },
    },
    patch: {
      may: privileges.update.includes(name) && notes?.updatable !== false,
      parameters: [...filters, `body.${name}`, 'preferReturn'],
      responses: { 204: { description: 'No Content' } },
    },
  };
  return Object.fromEntries(
    Object.entries(operations)
      .filter(([, { may }]) => may)
      .map(([method, { parameters, responses }]) => [
        method,
        { ...shared, parameters: parameters.map(ref), responses },
      ]),
  );
}

/** The parameters that operations on the relation refer to. */
export function describeParameters(
  cache: SchemaCache,
  relation: Relation,
): readonly (readonly [string, object])[] {
  const { name, columns } = relation;
  const notes = notesOf(cache, relation);
  const body = {
    ...{ name, description: name, in: 'body', required: false },
    schema: { $ref: `#/definitions/${name}` },
  };
  const filters = [...columns.keys()].map((column) => {
    const comment = notes?.columns.get(column)?.comment;
    const filter = { in: 'query', required: false, type: 'string' };
    return [
      `rowFilter.${name}.${column}`,
      { name: column, ...(comment === undefined ? {} : { description: comment }), ...filter },
    ] as const;
  });
  return [[`body.${name}`, body], ...filters];
}

/** The rows of a relation, each key noted. */
export function describeRows(cache: SchemaCache, relation: Relation) {
  const all = [...relation.columns.values()];
  const required = all.filter(({ nullable }) => !nullable).map(({ name }) => name);
  return {
    ...(relation.comment === undefined ? {} : { description: relation.comment }),
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(
      all.map((column) => [column.name, describeColumn(cache, relation, column)]),
    ),
    type: 'object',
  };
}

function describeColumn(cache: SchemaCache, relation: Relation, column: Column) {
  const { name, type, defaultExpression } = column;
  const { format = type, labels, maxLength, comment } = notesOf(cache, relation)?.columns.get(name) ?? {};
  const notes = [
    ...(relation.primaryKey.includes(name) ? ['This is a Primary Key.<pk/>'] : []),
    ...noteForeignKey(cache, relation, name),
  ];
  const description = [comment, notes.length === 0 ? undefined : ['Note:', ...notes].join('\n')]
    .filter((part) => part !== undefined)
    .join('\n\n');
  const value = defaultExpression === undefined ? undefined : describeDefault(format, defaultExpression);
  return {
    ...(value === undefined ? {} : { default: value }),
    ...(description === '' ? {} : { description }),
    ...(labels === undefined ? {} : { enum: labels }),
    ...describeType(format),
    ...(maxLength === undefined ? {} : { maxLength }),
  };
}

/** Of the keys that consist of this column alone the first, those that lead to tables before those to views. */
function noteForeignKey(cache: SchemaCache, { schema, name }: Relation, column: string): readonly string[] {
  const keys = (cache.relationships.get(keyOf(schema, name)) ?? []).flatMap((relationship) => {
    if (relationship.kind !== 'many-to-one' && relationship.kind !== 'one-to-one') return [];
    const { target, columns } = relationship;
    const [pair, another] = columns;
    if (pair === undefined || another !== undefined || pair[0] !== column || target.schema !== schema)
      return [];
    return [{ target, column: pair[1] }];
  });
  const isView = ({ target }: (typeof keys)[number]) =>
    cache.relations.get(keyOf(target.schema, target.name))?.isView === true;
  const [found] = keys.toSorted((one, other) => Number(isView(one)) - Number(isView(other)));
  if (found === undefined) return [];
  const { target } = found;
  return [
    `This is a Foreign Key to \`${target.name}.${found.column}\`.<fk table='${target.name}' column='${found.column}'/>`,
  ];
}

function notesOf({ forms }: SchemaCache, { schema, name }: Relation): RelationNotes | undefined {
  return forms.relations.get(keyOf(schema, name));
}
