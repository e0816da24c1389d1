import type { Privileges } from '../run/read-privileges.ts';
import type { SchemaCache } from '../schema-cache/schema-cache.ts';
import type { RestSettings } from '../settings/rest-settings.ts';
import { describeCall } from './describe-function.ts';
import { describeParameters, describePath, describeRows } from './describe-relation.ts';
import { splitComment } from './describe-type.ts';
import type { RestResponse } from './rest-response.ts';

export type DescriptionWish = {
  readonly schema: string;
  /** The schema to name in `Content-Profile`; undefined when only one is exposed and the request named none. */
  readonly profile: string | undefined;
  readonly privileges: Privileges;
  readonly headersOnly: boolean;
} & Pick<RestSettings, 'openApiAddress' | 'openApiSecurity'>;

/** `GET /`: what this caller may ask for, as OpenAPI 2.0, the version PostgREST speaks. */
export function presentDescription(cache: SchemaCache, wish: DescriptionWish): RestResponse {
  const { profile, headersOnly } = wish;
  return {
    status: 200,
    headers: {
      ...(profile === undefined ? {} : { 'content-profile': profile }),
      'content-type': 'application/openapi+json; charset=utf-8',
    },
    body: headersOnly ? undefined : JSON.stringify(describeSchema(cache, wish)),
  };
}

function describeSchema(
  cache: SchemaCache,
  { schema, privileges, openApiAddress, openApiSecurity }: DescriptionWish,
) {
  const inSchema = <T extends { readonly schema: string; readonly name: string }>(all: Iterable<T>) =>
    [...all].filter((item) => item.schema === schema).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const visible = new Set(
    [privileges.select, privileges.insert, privileges.update, privileges.delete].flat(),
  );
  const relations = inSchema(cache.relations.values()).filter(({ name }) => visible.has(name));
  const callable = new Set(privileges.functions);
  const functions = inSchema([...cache.functions.values()].flat()).filter(({ name }) => callable.has(name));
  const { summary = 'Linkoteca', description = 'Table API' } = splitComment(cache.forms.schemas.get(schema));
  return {
    swagger: '2.0',
    info: { title: summary, description, version: PROTOCOL_VERSION },
    ...describePlace(openApiAddress),
    ...(openApiSecurity ? SECURITY : {}),
    consumes: MEDIA,
    produces: MEDIA,
    paths: Object.fromEntries([
      ['/', ROOT],
      ...relations.map((relation) => [`/${relation.name}`, describePath(cache, relation, privileges)]),
      ...functions.map((routine) => [`/rpc/${routine.name}`, describeCall(routine)]),
    ]),
    definitions: Object.fromEntries(
      relations.map((relation) => [relation.name, describeRows(cache, relation)]),
    ),
    parameters: Object.fromEntries([
      ...PARAMETERS,
      ...relations.flatMap((relation) => describeParameters(cache, relation)),
    ]),
    externalDocs: {
      description: 'PostgREST Documentation',
      url: 'https://postgrest.org/en/v14/references/api.html',
    },
  };
}

function describePlace(address: URL | undefined): object {
  if (address === undefined) return { basePath: '/' };
  const { protocol, hostname, port, pathname } = address;
  const usual = protocol === 'https:' ? '443' : '80';
  return { host: `${hostname}:${port || usual}`, basePath: pathname, schemes: [protocol.slice(0, -1)] };
}

const SECURITY = {
  security: [{ JWT: [] }],
  securityDefinitions: {
    JWT: {
      description: 'Add the token prepending "Bearer " (without quotes) to it',
      ...{ name: 'Authorization', in: 'header', type: 'apiKey' },
    },
  },
};

/** Of the PostgREST whose protocol this is. */
const PROTOCOL_VERSION = '14.12';

const MEDIA = [
  'application/json',
  'application/vnd.pgrst.object+json;nulls=stripped',
  'application/vnd.pgrst.object+json',
  'text/csv',
];

const ROOT = {
  get: {
    tags: ['Introspection'],
    summary: 'OpenAPI description (this document)',
    produces: ['application/openapi+json', 'application/json'],
    responses: { 200: { description: 'OK' } },
  },
};

const prefer = (values: readonly string[]) => ({
  name: 'Prefer',
  description: 'Preference',
  ...{ in: 'header', required: false, type: 'string' },
  ...(values.length === 0 ? {} : { enum: values }),
});
const inQuery = (name: string, description: string) => ({
  ...{ name, description, in: 'query', required: false, type: 'string' },
});
const inHeader = (name: string, description: string) => ({ ...inQuery(name, description), in: 'header' });
const RETURN = ['return=representation', 'return=minimal', 'return=none'];
const RESOLUTION = ['resolution=ignore-duplicates', 'resolution=merge-duplicates'];

/** The parameters that operations on every relation share. */
const PARAMETERS: readonly (readonly [string, object])[] = [
  ['preferParams', prefer([])],
  ['preferReturn', prefer(RETURN)],
  ['preferCount', prefer(['count=none'])],
  ['preferPost', prefer([...RETURN, ...RESOLUTION])],
  ['select', inQuery('select', 'Filtering Columns')],
  ['on_conflict', inQuery('on_conflict', 'On Conflict')],
  ['order', inQuery('order', 'Ordering')],
  ['range', inHeader('Range', 'Limiting and Pagination')],
  ['rangeUnit', { ...inHeader('Range-Unit', 'Limiting and Pagination'), default: 'items' }],
  ['offset', inQuery('offset', 'Limiting and Pagination')],
  ['limit', inQuery('limit', 'Limiting and Pagination')],
];
