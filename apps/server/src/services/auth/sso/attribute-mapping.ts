import * as v from 'valibot';

/** Which attributes of an assertion an account remembers, and as what. (Source: GoTrue, `SAMLAttributeMapping`.) */
const RULE = v.object({
  name: v.optional(v.string(), ''),
  names: v.optional(v.array(v.string()), []),
  default: v.optional(v.unknown()),
  array: v.optional(v.boolean(), false),
});
const CLAIM = v.pipe(v.string(), v.regex(/^(?!__)[A-Za-z_][\w.:/-]{0,99}$/));
export const ATTRIBUTE_MAPPING = v.object({ keys: v.optional(v.record(CLAIM, RULE)) });
export type AttributeMapping = v.InferInput<typeof ATTRIBUTE_MAPPING>;

/** Attributes by their names, each with its values. */
export type Attributes = Readonly<Record<string, readonly string[]>>;

/** The claims that a mapping makes of attributes. */
export function mapAttributes(mapping: AttributeMapping, attributes: Attributes): Record<string, unknown> {
  const read = v.safeParse(ATTRIBUTE_MAPPING, mapping);
  const keys = read.success ? (read.output.keys ?? {}) : {};
  const claims: [string, unknown][] = [];
  for (const [claim, { name, names, array, default: otherwise }] of Object.entries(keys)) {
    const found = [name, ...names].find((one) => one !== '' && Object.hasOwn(attributes, one));
    const values = found === undefined ? undefined : attributes[found];
    const value = array ? values : values?.[0];
    if ((value ?? otherwise) !== undefined) claims.push([claim, value ?? otherwise]);
  }
  return Object.fromEntries(claims);
}
