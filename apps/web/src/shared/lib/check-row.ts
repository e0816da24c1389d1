import { type GenericSchema, type InferOutput, safeParse } from 'valibot';

/** A row that the product's own rules refuse, before anything is sent. Its message is the rule's, for people to read. */
export class InvalidRow extends Error {
  override readonly name = 'InvalidRow';
}

/**
 * The row as it is to be written. Forms have checked what a person typed; this checks what the screen adds, such as the
 * owner and the place.
 * @throws InvalidRow
 */
export function checkRow<Schema extends GenericSchema>(schema: Schema, row: unknown): InferOutput<Schema> {
  const result = safeParse(schema, row);
  if (result.success) return result.output;
  throw new InvalidRow(result.issues[0].message);
}
