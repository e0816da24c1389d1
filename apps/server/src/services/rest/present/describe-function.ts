import type { Parameter, Routine } from '../schema-cache/schema-cache.ts';
import { describeType, splitComment, toFormat, toJsonType } from './describe-type.ts';

const PRODUCES = [
  'application/json',
  'application/vnd.pgrst.object+json;nulls=stripped',
  'application/vnd.pgrst.object+json',
];

/** How a function is called: what changes nothing can be asked for with GET, too. */
export function describeCall({ schema, name, parameters: named, volatility, comment }: Routine) {
  // A type of the same schema goes without its name.
  const own = `${schema}.`;
  const parameters = named.map((parameter) =>
    parameter.type.startsWith(own) ? { ...parameter, type: parameter.type.slice(own.length) } : parameter,
  );
  const shared = {
    tags: [`(rpc) ${name}`],
    ...splitComment(comment),
    produces: PRODUCES,
    responses: { 200: { description: 'OK' } },
  };
  const post = {
    ...shared,
    parameters: [
      { name: 'args', in: 'body', required: true, schema: describeArguments(parameters, comment) },
      { $ref: '#/parameters/preferParams' },
    ],
  };
  return volatility === 'volatile'
    ? { post }
    : { get: { ...shared, parameters: parameters.map(describeParameter) }, post };
}

function describeArguments(parameters: readonly Parameter[], comment: string | undefined) {
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  return {
    ...(comment === undefined ? {} : { description: comment }),
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(parameters.map(({ name, type }) => [name, describeType(type)])),
    type: 'object',
  };
}

/** In an address a list is written as an array of Postgres, and a document as text; a variadic parameter is repeated. */
function describeParameter({ name, type, required, variadic }: Parameter) {
  const shared = { name, in: 'query', required };
  if (variadic) {
    const item = type.slice(0, -2);
    const items = { type: toJsonType(item) ?? 'string', format: item };
    return { ...shared, type: 'array', collectionFormat: 'multi', items };
  }
  const json = toJsonType(type);
  return {
    ...shared,
    type: json === undefined || json === 'array' ? 'string' : json,
    format: toFormat(type),
  };
}
