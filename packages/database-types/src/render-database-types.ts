import type {
  Schema,
  SchemaColumn,
  SchemaField,
  SchemaFunction,
  SchemaRelationship,
  SchemaTable,
} from './read-schema.ts';

const HEADER = `// Written by packages/database-types/src/generate-database-types.ts from the migrations. Do not edit: run
// \`node packages/database-types/src/generate-database-types.ts\` after a change of the schema.

export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];
`;

const EMPTY = '{ [_ in never]: never }';

/** The source text of \`Database\`, in the shape \`createClient<Database>()\` of the published client reads. */
export function renderDatabaseTypes(schema: Schema): string {
  return `${HEADER}
export type Database = {
  public: {
    Tables: {
${schema.tables.map((table) => renderTable(table, schema)).join('\n')}
    };
    Views: ${EMPTY};
    Functions: {
${schema.functions
  .filter((fn) => !isComputedField(fn, schema))
  .map((fn) => renderFunction(fn, schema))
  .join('\n')}
    };
    Enums: ${EMPTY};
    CompositeTypes: ${EMPTY};
  };
};
`;
}

function renderTable(table: SchemaTable, { tables }: Schema): string {
  const known = new Set(tables.map(({ name }) => name));
  const relationships = table.relationships.filter(({ referencedRelation }) => known.has(referencedRelation));
  return `      ${table.name}: {
        Row: {
${renderRow(table.columns, '          ')}
        };
        Insert: {
${table.columns.map((column) => `          ${column.name}${column.nullable || column.hasDefault ? '?' : ''}: ${fieldType(column)};`).join('\n')}
        };
        Update: {
${table.columns.map((column) => `          ${column.name}?: ${fieldType(column)};`).join('\n')}
        };
        Relationships: [${relationships.map(renderRelationship).join('')}${relationships.length > 0 ? '\n        ' : ''}];
      };`;
}

function renderRow(columns: readonly SchemaColumn[], indent: string): string {
  return columns.map((column) => `${indent}${column.name}: ${fieldType(column)};`).join('\n');
}

function renderRelationship(relationship: SchemaRelationship): string {
  return `
          {
            foreignKeyName: '${relationship.foreignKeyName}';
            columns: [${renderNames(relationship.columns)}];
            isOneToOne: ${relationship.isOneToOne};
            referencedRelation: '${relationship.referencedRelation}';
            referencedColumns: [${renderNames(relationship.referencedColumns)}];
          },`;
}

function renderNames(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ');
}

/** A function of a row is asked for as a column of its table, never called. */
function isComputedField({ args }: SchemaFunction, { tables }: Schema): boolean {
  return args.some(({ type }) => tables.some(({ name }) => name === type));
}

function renderFunction(fn: SchemaFunction, schema: Schema): string {
  const args =
    fn.args.length === 0
      ? 'never'
      : `{ ${fn.args.map(({ name, type, optional }) => `${name}${optional ? '?' : ''}: ${scalarType(type)}`).join('; ')} }`;
  return `      ${fn.name}: {
        Args: ${args};
        Returns: ${renderReturns(fn, schema)};
${renderSetofOptions(fn)}      };`;
}

function renderReturns(fn: SchemaFunction, { tables }: Schema): string {
  const suffix = fn.returnsSet ? '[]' : '';
  const table = tables.find(({ name }) => name === fn.returnsTable);
  if (table !== undefined) return `{\n${renderRow(table.columns, '          ')}\n        }${suffix}`;
  if (fn.returnsFields.length === 0) return scalarType(fn.returnsType) + suffix;
  const fields = fn.returnsFields.map((field) => `          ${field.name}: ${fieldType(field)};`);
  return `{\n${fields.join('\n')}\n        }${suffix}`;
}

/** Tells the client that filters and embeds work on the answer as on the table. */
function renderSetofOptions(fn: SchemaFunction): string {
  if (fn.returnsTable === null) return '';
  return `        SetofOptions: {
          from: '*';
          to: '${fn.returnsTable}';
          isOneToOne: ${!fn.returnsSet};
          isSetofReturn: ${fn.returnsSet};
        };
`;
}

function fieldType({ type, nullable }: Pick<SchemaField, 'type' | 'nullable'>): string {
  return scalarType(type) + (nullable ? ' | null' : '');
}

/** What JSON makes of a Postgres type. */
function scalarType(type: string): string {
  if (type.startsWith('_')) return `${scalarType(type.slice(1))}[]`;
  if (type === 'bool') return 'boolean';
  if (/^(int[248]|float[48]|numeric)$/.test(type)) return 'number';
  if (/^jsonb?$/.test(type)) return 'Json';
  if (/^(text|varchar|uuid|timestamptz?|date|time|bpchar|name)$/.test(type)) return 'string';
  if (type === 'void') return 'undefined';
  throw new Error(`no TypeScript type is known for the Postgres type ${type}`);
}
