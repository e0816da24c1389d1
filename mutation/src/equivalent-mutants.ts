import type { Mutant } from './list-mutants.ts';

/** A fault that nobody can notice, because the program does the same with it. */
type Equivalent = {
  readonly file: string;
  /** The line as it is and as it is with the fault, as a run prints them. */
  readonly mutated: string;
  readonly reason: string;
};

/** Read by hand, one by one. A test fails when one is no longer in the code. */
export const EQUIVALENT_MUTANTS: readonly Equivalent[] = [
  {
    file: 'apps/server/src/services/realtime/changes/access/create-row-checks.ts',
    mutated: 'isScheduled = true; => isScheduled = false;',
    reason: 'the loop runs once more for each question, and finds nothing left to send',
  },
  {
    file: 'apps/server/src/services/realtime/changes/access/parse-policy.ts',
    mutated: 'if (at < 0) return UNDECIDED; => if (false) return UNDECIDED;',
    reason:
      'without a sign the left side lacks the last part and the right has all: no pair of them is a comparison',
  },
];

/** The line as it is, and as it is with the fault. */
export function describeMutant(text: string, { start, end, replacement }: Mutant): string {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const next = text.indexOf('\n', end);
  const [before, after] = [text.slice(from, start), text.slice(end, next === -1 ? undefined : next)];
  const shorten = (code: string) => {
    const line = code.replaceAll(/\s+/g, ' ').trim();
    return line.length > MOST_LETTERS ? `${line.slice(0, MOST_LETTERS)}…` : line;
  };
  return `${shorten(text.slice(from, end) + after)} => ${shorten(before + replacement + after)}`;
}

const MOST_LETTERS = 120;

/** Why a mutant changes nothing, if that is known. */
export function findReason(text: string, mutant: Mutant): string | undefined {
  const candidates = EQUIVALENT_MUTANTS.filter(({ file }) => file === mutant.file);
  if (candidates.length === 0) return undefined;
  const mutated = describeMutant(text, mutant);
  return candidates.find((each) => each.mutated === mutated)?.reason;
}
