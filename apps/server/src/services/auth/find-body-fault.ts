/** Why Postgres could not keep a JSON value: its text cannot hold NUL or half a surrogate pair, nor nest without end. */
export type BodyFault = 'a NUL character' | 'half a surrogate pair' | 'too many levels';

const MAX_DEPTH = 32;

/** Walks with a list of its own instead of recursion: a body of a million brackets must not exhaust the stack. */
export function findBodyFault(body: unknown): BodyFault | undefined {
  const pending: { value: unknown; depth: number }[] = [{ value: body, depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, depth } = next;
    const fault = typeof value === 'string' ? findTextFault(value) : undefined;
    if (fault) return fault;
    if (typeof value !== 'object' || value === null) continue;
    if (depth === MAX_DEPTH) return 'too many levels';
    for (const [key, inner] of Object.entries(value)) {
      const keyFault = findTextFault(key);
      if (keyFault) return keyFault;
      pending.push({ value: inner, depth: depth + 1 });
    }
  }
  return undefined;
}

export function findTextFault(value: string): BodyFault | undefined {
  if (value.includes('\u0000')) return 'a NUL character';
  return value.isWellFormed() ? undefined : 'half a surrogate pair';
}
