/** Longer ones are no search but a program. */
const MAX_LENGTH = 200;
/** Repetitions multiply: each copy is a state of the automaton that Postgres builds. */
const MAX_REPETITIONS = 256;

/**
 * Why a regular expression may not run, or undefined when it may. Postgres matches without back-tracking, in a time that grows with
 * the text, unless an expression refers back to its own groups or looks around; and it builds an automaton as large as
 * the repetitions make it (PostgreSQL documentation, 9.7.3).
 */
export function findPatternFault(pattern: string): string | undefined {
  if (pattern.length > MAX_LENGTH) return `at most ${MAX_LENGTH} characters`;
  if (/\\[1-9]/.test(pattern)) return 'no back-references';
  if (/\(\?(?!:)/.test(pattern)) return 'no look-around and no embedded options';
  if (pattern.includes('***')) return 'no director prefix';
  const repetitions = [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].reduce(
    (product, [, least, most]) => product * Math.max(1, Number(least), Number(most ?? 0)),
    1,
  );
  return repetitions > MAX_REPETITIONS ? `at most ${MAX_REPETITIONS} repetitions in all` : undefined;
}
