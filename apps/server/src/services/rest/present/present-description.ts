import type { Privileges } from '../run/read-privileges.ts';
import type { Relation, Routine, SchemaCache } from '../schema-cache/schema-cache.ts';
import type { RestResponse } from './rest-response.ts';

export type DescriptionWish = {
  readonly schema: string;
  /** The schema to name in `Content-Profile`; undefined when only one is exposed. */
  readonly profile: string | undefined;
  readonly privileges: Privileges;
  readonly headersOnly: boolean;
};

/** `GET /`: what this caller may ask for, as OpenAPI 2.0, the version PostgREST speaks. */
export function presentDescription(
  cache: SchemaCache,
  { schema, profile, privileges, headersOnly }: DescriptionWish,
): RestResponse {
  const inSchema = <T extends { readonly schema: string }>(all: Iterable<T>) =>
    [...all].filter((item) => item.schema === schema);
  const readable = new Set(
    [privileges.select, privileges.insert, privileges.update, privileges.delete].flat(),
  );
  const relations = inSchema(cache.relations.values()).filter(({ name }) => readable.has(name));
  const callable = new Set(privileges.functions);
  const functions = inSchema([...cache.functions.values()].flat()).filter(({ name }) => callable.has(name));
  const description = {
    swagger: '2.0',
    info: { title: 'Linkoteca', description: 'Table API', version: '1' },
    basePath: '/',
    consumes: MEDIA,
    produces: MEDIA,
    paths: Object.fromEntries([
      ...relations.map((relation) => [`/${relation.name}`, describePath(relation, privileges)]),
      ...functions.map((routine) => [`/rpc/${routine.name}`, describeCall(routine)]),
    ]),
    definitions: Object.fromEntries(relations.map((relation) => [relation.name, describeRows(relation)])),
  };
  return {
    status: 200,
    headers: {
      ...(profile === undefined ? {} : { 'content-profile': profile }),
      'content-type': 'application/openapi+json; charset=utf-8',
    },
    body: headersOnly ? undefined : JSON.stringify(description),
  };
}

const MEDIA = [
  'application/json',
  'application/vnd.pgrst.object+json;nulls=stripped',
  'application/vnd.pgrst.object+json',
  'text/csv',
];

function describePath({ name, comment }: Relation, privileges: Privileges) {
  const operations = [
    ['get', privileges.select, '200', 'OK'],
    ['post', privileges.insert, '201', 'Created'],
    ['patch', privileges.update, '204', 'No Content'],
    ['delete', privileges.delete, '204', 'No Content'],
  ] as const;
  return Object.fromEntries(
    operations
      .filter(([, allowed]) => allowed.includes(name))
      .map(([method, , status, description]) => [
        method,
        {
          tags: [name],
          ...(comment === undefined ? {} : { summary: comment }),
          responses: { [status]: { description } },
        },
      ]),
  );
}

function describeRows({ columns, primaryKey, comment }: Relation) {
  const all = [...columns.values()];
  return {
    type: 'object',
    ...(comment === undefined ? {} : { description: comment }),
    required: all.filter(({ nullable }) => !nullable).map(({ name }) => name),
    properties: Object.fromEntries(
      all.map(({ name, type, defaultExpression }) => [
        name,
        {
          ...describeType(type),
          ...(defaultExpression === undefined ? {} : { default: defaultExpression }),
          ...(primaryKey.includes(name) ? { description: 'Note:\nThis is a Primary Key.<pk/>' } : {}),
        },
      ]),
    ),
  };
}

function describeCall({ name, parameters, volatility, comment }: Routine) {
  const operation = {
    tags: [`(rpc) ${name}`],
    ...(comment === undefined ? {} : { summary: comment }),
    parameters: [
      {
        name: 'args',
        in: 'body',
        required: true,
        schema: {
          type: 'object',
          required: parameters.filter(({ required }) => required).map((parameter) => parameter.name),
          properties: Object.fromEntries(
            parameters.map((parameter) => [parameter.name, describeType(parameter.type)]),
          ),
        },
      },
    ],
    responses: { '200': { description: 'OK' } },
  };
  return volatility === 'volatile'
    ? { post: operation }
    : { get: { ...operation, parameters: [] }, post: operation };
}

/** `format` names the Postgres type; `type` is the JSON it is written as. */
function describeType(type: string) {
  if (type.endsWith('[]'))
    return { type: 'array', format: type, items: { type: jsonType(type.slice(0, -2)) } };
  const json = jsonType(type);
  return json === undefined ? { format: type } : { type: json, format: type };
}

function jsonType(type: string): string | undefined {
  if (/^(smallint|integer|bigint)$/.test(type)) return 'integer';
  if (/^(numeric|real|double precision)$/.test(type)) return 'number';
  if (type === 'boolean') return 'boolean';
  return type === 'json' || type === 'jsonb' ? undefined : 'string';
}
