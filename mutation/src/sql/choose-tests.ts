import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant } from './list-mutants.ts';
import type { FileCoverage } from './map-coverage.ts';
import { REPOSITORY } from './warm-vitest.ts';

/** What refuses a call leaves no trace in Postgres' counts: these are tried first with the mutants they are about. */
const ABOUT: readonly (readonly [RegExp, string])[] = [
  [/^grant /, 'supabase/tests/granted-rights.test.ts'],
  [/^row security /, 'supabase/tests/granted-rights.test.ts'],
  [/^policy /, 'supabase/tests/unconditioned-writes.test.ts'],
  [/refuse_identity_change|_keep_identity$/, 'supabase/tests/unconditioned-writes.test.ts'],
  [/respect_leaving/, 'supabase/tests/sharing-edges.test.ts'],
  [/^publication /, 'supabase/tests/published-changes.test.ts'],
  [/^publication /, 'supabase/tests/policy-sources.test.ts'],
];

export type TestChoice = {
  /** The files that may notice, the likeliest first. */
  choose(mutant: Mutant): readonly string[];
  /** Remembers who noticed: the next mutant of the same object, or of the same kind, goes there first. */
  learn(mutant: Mutant, file: string): void;
};

/** @param bodies every function's body by `schema.name`: who calls one that Postgres does not count, since it is inlined. */
export function createTestChoice(
  coverage: readonly FileCoverage[],
  bodies: ReadonlyMap<string, string>,
): TestChoice {
  const texts = new Map(coverage.map(({ file }) => [file, readFileSync(join(REPOSITORY, file), 'utf8')]));
  const learned = new Map<string, number>();
  const sum = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((a, b) => a + b, 0);
  const totals = new Map(
    coverage.map((one) => [one.file, { calls: sum(one.functions), uses: sum(one.tables) }]),
  );

  function callersOf(name: string, depth = 3): readonly string[] {
    if (coverage.some(({ functions }) => (functions[name] ?? 0) > 0) || depth === 0) return [name];
    const callers = [...bodies].filter(([other, body]) => other !== name && body.includes(`${name}(`));
    return [name, ...callers.flatMap(([other]) => callersOf(other, depth - 1))];
  }

  function weigh(mutant: Mutant, one: FileCoverage, functions: readonly string[]): number {
    const { calls, uses } = totals.get(one.file) ?? { calls: 1, uses: 1 };
    const countCalls = ({ functions: counts }: FileCoverage) =>
      functions.reduce((total, name) => total + (counts[name] ?? 0), 0);
    const called = countCalls(one);
    const used = mutant.tables.reduce((total, name) => total + (one.tables[name] ?? 0), 0);
    if (called === 0 && used === 0) return 0;
    const text = texts.get(one.file) ?? '';
    const names = [...mutant.functions, ...mutant.object.split(' ')].map((name) =>
      name.replace(/^\w+\.|\(.*$/g, ''),
    );
    const isNamed = names.some((name) => name.length > 5 && text.includes(name));
    const known =
      (learned.get(`${mutant.object} ${one.file}`) ?? 0) * 10 +
      (learned.get(`${kindOf(mutant)} ${one.file}`) ?? 0);
    // What a file is mostly about, and where most of the calls are.
    const everywhere = coverage.reduce((total, other) => total + countCalls(other), 0);
    const share = called > 0 ? called / Math.max(calls, 1) + called / everywhere : used / Math.max(uses, 1);
    return ((share * (isNamed ? 20 : 1) + known * 0.2) * 1000) / Math.sqrt(500 + one.milliseconds);
  }

  return {
    choose: (mutant) => {
      const functions = mutant.functions.flatMap((name) => callersOf(name));
      const isCalled = coverage.some((one) => functions.some((name) => (one.functions[name] ?? 0) > 0));
      const tables = isCalled ? [] : mutant.tables;
      const weighed = coverage
        .map((one) => ({ file: one.file, weight: weigh({ ...mutant, tables }, one, functions) }))
        .filter(({ weight }) => weight > 0)
        .sort((a, b) => b.weight - a.weight)
        .map(({ file }) => file);
      const about = ABOUT.filter(([pattern]) => pattern.test(mutant.object)).map(([, file]) => file);
      return [...new Set([...about.filter((file) => texts.has(file)), ...weighed])];
    },
    learn: (mutant, file) => {
      for (const key of [mutant.object, kindOf(mutant)])
        learned.set(`${key} ${file}`, (learned.get(`${key} ${file}`) ?? 0) + 1);
    },
  };
}

/** Functions have little in common; policies, rights and constraints of one table do. */
const kindOf = ({ object }: Mutant) =>
  object.startsWith('function') ? object : object.split(' ').slice(0, 2).join(' ');
