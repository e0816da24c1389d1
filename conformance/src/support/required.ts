/** What a call must have answered; else its error is thrown, so that the test shows it. */
export function required<T>(value: T | null | undefined, error: unknown = null): T {
  if (error !== null) throw error;
  if (value === null || value === undefined) throw new Error('the answer is empty');
  return value;
}
