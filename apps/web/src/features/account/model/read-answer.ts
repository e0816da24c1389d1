/** Whether something that came from outside is an object with names. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A code of ISO 4217 in either case: `Intl` throws on anything else. */
export function isCurrency(value: unknown): value is string {
  return typeof value === 'string' && /^[a-z]{3}$/i.test(value);
}

/** A text that is there, else null. */
export function readText(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}
