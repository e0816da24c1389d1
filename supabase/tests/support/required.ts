/** A value that a test cannot go on without. */
export function required<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('there is no value');
  return value;
}
