/** Where a join payload is malformed. `path` is the client's own name for the place. */
export class JoinFault extends Error {
  constructor(path: string, expected: string) {
    super(`InvalidJoinPayload: ${path}: unable to parse, expected ${expected}`);
  }
}

export type Fields = Readonly<Record<string, unknown>>;

/** An absent part is an empty one. @throws JoinFault */
export function readFields(value: unknown, path: string): Fields {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw new JoinFault(path, 'a map');
  return value as Fields;
}

/** The service also takes the words, in any case: clients of other languages send them. @throws JoinFault */
export function readBoolean(value: unknown, path: string, otherwise: boolean): boolean {
  if (value === undefined || value === null) return otherwise;
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.toLowerCase() : '';
  if (word === 'true' || word === 'false') return word === 'true';
  throw new JoinFault(path, 'boolean');
}

/** @throws JoinFault */
export function readString(value: unknown, path: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw new JoinFault(path, 'string');
  return value;
}

/** A whole number above zero. @throws JoinFault */
export function readPositiveInteger(value: unknown, path: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1)
    throw new JoinFault(path, 'integer');
  return value;
}
