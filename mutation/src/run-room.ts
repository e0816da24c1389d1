import { globSync } from 'node:fs';
import { createDraw } from '@linkoteca/server-process/create-draw';
import { describeMutant, findReason } from './equivalent-mutants.ts';
import { applyMutant, listMutants, type Mutant } from './list-mutants.ts';
import { copyTree, readSource, writeSource } from './mutated-tree.ts';
import { openTestProcess, type TestProcess } from './open-test-process.ts';
import type { Room } from './rooms.ts';
import type { Failure } from './test-runner.ts';
import { createTypeCheck, type TypeCheck } from './type-check.ts';

export type RoomResult = {
  readonly room: string;
  readonly total: number;
  readonly killed: number;
  readonly survived: readonly Survivor[];
};

export type Survivor = Mutant & {
  /** The line as it is and with the fault. */
  readonly mutated: string;
};

export type RunOptions = {
  readonly repository: string;
  readonly sample: number | undefined;
  readonly seed: number;
  /** Only files whose path has this in it. */
  readonly only: string | undefined;
  /** Faults that went unnoticed before, as they were described: only these are tried. */
  readonly again?: ReadonlySet<string> | undefined;
  readonly say: (text: string) => void;
  /** What is known so far, after each fault. */
  readonly save: (result: RoomResult) => void;
};

/** A worker that has not answered by then turns for ever: tests end after half a minute. */
const PATIENCE_MS = 180_000;
/** A test that fails once with a fault and then passes with it has not noticed the fault. */
const MOST_ATTEMPTS = 3;

/** Puts one fault after the other into a copy of the room's files, and says which ones no test of the room notices. */
export async function runRoom(room: Room, options: RunOptions): Promise<RoomResult> {
  const { repository, say } = options;
  const tree = copyTree(repository);
  const tests = openTestProcess(tree.folder, room.name);
  const survived: Survivor[] = [];
  let [total, killed] = [0, 0];
  try {
    const compiles = createCompileCheck(repository);
    const mutants = drawMutants(room, { ...options, repository: tree.folder });
    const files = new Set(mutants.map(({ file }) => file));
    const notice = await createNotice({ room, tests, folder: tree.folder, files, say });
    for (const mutant of mutants) {
      const by = await notice(mutant);
      const text = readSource(tree.folder, mutant.file);
      const mutated = describeMutant(text, mutant);
      const what = `${mutant.file}:${mutant.line} [${mutant.operator}] ${mutated}`;
      if (by === undefined && !compiles(mutant.file, applyMutant(text, mutant))) {
        say(`left out, does not compile: ${what}`);
        continue;
      }
      total += 1;
      if (by !== undefined) killed += 1;
      else survived.push({ ...mutant, mutated });
      say(
        `${killed}/${total} ${by === undefined ? 'SURVIVED' : 'noticed'} ${what}${by === undefined ? '' : ` <- ${by}`}`,
      );
      options.save({ room: room.name, total, killed, survived });
    }
  } finally {
    await tests.close();
    tree.remove();
  }
  return { room: room.name, total, killed, survived };
}

/** As many of the room's faults as are wanted, drawn by the seed, without those that change nothing. */
function drawMutants(
  room: Room,
  { repository, sample, seed, only, again, say }: RunOptions,
): readonly Mutant[] {
  const files = room.files.flatMap((pattern) => globSync(pattern, { cwd: repository })).sort();
  const excluded = new Set((room.without ?? []).flatMap((pattern) => globSync(pattern, { cwd: repository })));
  const mutants = files
    .filter((file) => !/\.test\.tsx?$/.test(file) && !excluded.has(file) && file.includes(only ?? ''))
    .flatMap((file) => {
      const text = readSource(repository, file);
      return listMutants(file, text, { numbers: room.figures?.includes(file) ?? false }).filter(
        (mutant) =>
          findReason(text, mutant) === undefined &&
          (again === undefined || again.has(`${file} ${describeMutant(text, mutant)}`)),
      );
    });
  const chosen = sample === undefined ? mutants : shuffle(mutants, seed).slice(0, sample);
  say(`${mutants.length} mutants; ${chosen.length} to try`);
  // A file's mutants one after the other: its tests are looked for once.
  return chosen.toSorted((a, b) => (a.file === b.file ? a.start - b.start : a.file < b.file ? -1 : 1));
}

/** A fault that no test notices but the compiler refuses says nothing about the tests. */
function createCompileCheck(repository: string) {
  const checks = new Map<string, TypeCheck>();
  return (file: string, text: string): boolean => {
    const project = file.startsWith('apps/web/') ? 'apps/web/tsconfig.json' : 'tsconfig.json';
    const check = checks.get(project) ?? createTypeCheck(repository, project);
    checks.set(project, check);
    return check.compiles(file, text);
  };
}

function shuffle<T>(list: readonly T[], seed: number): readonly T[] {
  const draw = createDraw(seed);
  const shuffled = [...list];
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const other = draw.number(last + 1);
    [shuffled[last], shuffled[other]] = [shuffled[other] as T, shuffled[last] as T];
  }
  return shuffled;
}

type NoticeOptions = {
  readonly room: Room;
  readonly tests: TestProcess;
  readonly folder: string;
  readonly files: ReadonlySet<string>;
  readonly say: (text: string) => void;
};

/** Says for a mutant which test notices it. */
async function createNotice({ room, tests, folder, files, say }: NoticeOptions) {
  const testsOf = new Map<string, readonly string[]>();
  /** How often a test file was the one to notice: that one goes first the next time. */
  const merits = new Map<string, number>();
  const isTimed = (module: string) => room.isTimed(module.slice(folder.length + 1));
  let aside: string | undefined;
  let changed: readonly string[] = [];

  const findTests = async (file: string) => {
    const known = testsOf.get(file);
    if (known) return known;
    const answer = await tests.ask({ ask: 'tests', file }, PATIENCE_MS);
    const found = answer?.tests ?? [];
    if (found.length === 0) say(`no test of the room imports ${file}`);
    testsOf.set(file, found);
    return found;
  };

  const run = async (
    modules: readonly string[],
    bail: number,
    names = aside,
  ): Promise<readonly Failure[]> => {
    const question = {
      ask: 'run',
      changed,
      modules,
      bail,
      ...(names === undefined ? {} : { names }),
    } as const;
    const answer = await tests.ask(question, PATIENCE_MS);
    return answer?.failures ?? [{ test: 'no end within the limit', module: '', message: 'timeout' }];
  };

  /** What fails without a fault says nothing about one. */
  const setAsideWhatFails = async (modules: readonly string[]) => {
    const failing = await run(modules, 0);
    if (failing.length === 0) return;
    for (const { test, message } of failing)
      say(`set aside, fails as it is: ${test} (${message.split('\n')[0]})`);
    aside = `^(?!(?:${failing.map(({ test }) => quote(test)).join('|')})$)`;
  };

  const notice = async (mutant: Mutant): Promise<string | undefined> => {
    const found = await findTests(mutant.file);
    if (found.length === 0) return undefined;
    const modules = found.toSorted(
      (a, b) => Number(isTimed(a)) - Number(isTimed(b)) || (merits.get(b) ?? 0) - (merits.get(a) ?? 0),
    );
    const original = readSource(folder, mutant.file);
    writeSource(folder, mutant.file, applyMutant(original, mutant));
    changed = [...new Set([...changed, mutant.file])];
    try {
      for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
        const [failure] = await run(modules, 1);
        if (failure === undefined) return undefined;
        const believed = failure.test === '' || !isTimed(failure.module) || (await failsAgain(failure));
        if (!believed) say(`not believed: ${failure.test}`);
        if (!believed) continue;
        merits.set(failure.module, (merits.get(failure.module) ?? 0) + 1);
        return `${failure.module.slice(folder.length + 1)}: ${failure.test || failure.message.split('\n')[0]}`;
      }
      return undefined;
    } finally {
      writeSource(folder, mutant.file, original);
      changed = [mutant.file];
    }
  };

  const failsAgain = async ({ module, test }: Failure) =>
    (await run([module], 1, `^${quote(test)}$`)).length > 0;

  const needed = new Set<string>();
  for (const file of files) for (const module of await findTests(file)) needed.add(module);
  const started = performance.now();
  await setAsideWhatFails([...needed]);
  say(`${needed.size} test files, ${Math.round((performance.now() - started) / 1000)} s without a fault`);
  return notice;
}

/** A test's name as an expression that matches just that. */
const quote = (name: string): string => name.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
