/** What the page reads of a JSON Schema. */
export type JsonSchema = {
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
};

/** A schema in a few words: 'string (uuid)', 'array of Link, at most 20'. Pure. */
export function describeType(schema: JsonSchema): string {
  const { $ref, anyOf, items, properties, maxItems } = schema;
  if ($ref !== undefined) return $ref.split('/').at(-1) ?? '';
  if (anyOf !== undefined) return anyOf.map(describeType).join(' or ');
  if (schema.enum !== undefined) return schema.enum.join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (items !== undefined)
    return `array of ${describeType(items)}${maxItems === undefined ? '' : `, at most ${maxItems}`}`;
  if (properties !== undefined) {
    const fields = Object.entries(properties).map(([name, of]) => `${name}: ${describeType(of)}`);
    return `{ ${fields.join(', ')} }`;
  }
  return describeScalar(schema);
}

function describeScalar({ type = 'any', format, maxLength, minimum, maximum }: JsonSchema): string {
  const bounds = [
    ...(format === undefined ? [] : [format]),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(minimum === undefined || maximum === undefined ? [] : [`${minimum} to ${maximum}`]),
  ];
  return bounds.length === 0 ? type : `${type} (${bounds.join(', ')})`;
}

/** The fields of an object. Pure. */
export function listFields({ properties = {}, required = [] }: JsonSchema) {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    isRequired: required.includes(name),
    type: describeType(schema),
    // What may be null is described where it is not.
    text: schema.description ?? schema.anyOf?.find((one) => one.description !== undefined)?.description ?? '',
  }));
}
