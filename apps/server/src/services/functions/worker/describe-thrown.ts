import type { Failure } from './worker-messages.ts';

const MAX_CHARACTERS = 4_000;

/** What was thrown, in a form that travels: functions throw anything. */
export function describeThrown(thrown: unknown): Failure {
  if (!(thrown instanceof Error)) return { name: typeof thrown, message: cut(describeValue(thrown)) };
  const { name, message, stack } = thrown;
  return { name: cut(String(name)), message: cut(String(message)), ...(stack ? { stack: cut(stack) } : {}) };
}

function describeValue(value: unknown): string {
  try {
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  } catch {
    return 'a value that cannot be written down';
  }
}

function cut(text: string): string {
  return text.slice(0, MAX_CHARACTERS);
}
