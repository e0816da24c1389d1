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

/** A worker that has not ended a test for so long turns for ever: a test that hangs is ended after half a minute. */
const PATIENCE_MS = 120_000;
/** Reading every test of a project, and starting its database. */
const START_PATIENCE_MS = 600_000;
/** A test that fails once with a fault and then passes with it has not noticed the fault. */
const MOST_ATTEMPTS = 4;

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
    const notice = createNotice({ room, tests, folder: tree.folder, say });
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
  if (files.length === 0) throw new Error(`${room.name} names no file that is there`);
  const among = (patterns: readonly string[] = []) =>
    new Set(patterns.flatMap((pattern) => globSync(pattern, { cwd: repository })));
  const excluded = among(room.without);
  const figures = among(room.figures);
  const mutants = files
    .filter((file) => !/\.test\.tsx?$/.test(file) && !excluded.has(file) && file.includes(only ?? ''))
    .flatMap((file) => {
      const text = readSource(repository, file);
      return listMutants(file, text, { numbers: figures.has(file) }).filter(
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
    const [folder] = /^apps\/(web|extension)\//.exec(file) ?? [''];
    const project = `${folder}tsconfig.json`;
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
  readonly say: (text: string) => void;
};

/** Says for a mutant which test notices it. */
function createNotice({ room, tests, folder, say }: NoticeOptions) {
  const testsOf = new Map<string, readonly string[]>();
  /** How often a test file was the one to notice: that one goes first the next time. */
  const merits = new Map<string, number>();
  const isTimed = (module: string) => module !== '' && room.isTimed(module.slice(folder.length + 1));
  /** Tests that pass without a fault, and those that do not: these say nothing about one. */
  const [proven, aside] = [new Set<string>(), new Set<string>()];
  let changed: readonly string[] = [];

  const findTests = async (file: string) => {
    const known = testsOf.get(file);
    if (known) return known;
    const answer = await tests.ask({ ask: 'tests', file }, START_PATIENCE_MS);
    const found = answer?.tests ?? [];
    if (found.length === 0) say(`no test of the room imports ${file}`);
    testsOf.set(file, found);
    return found;
  };

  let patience = START_PATIENCE_MS;
  const skipAside = () => (aside.size === 0 ? undefined : `^(?!(?:${[...aside].map(quote).join('|')})$)`);
  const run = async (modules: readonly string[], names = skipAside()): Promise<readonly Failure[]> => {
    const question = { ask: 'run', changed, modules, ...(names === undefined ? {} : { names }) } as const;
    const answer = await tests.ask(question, patience);
    changed = [];
    patience = answer === undefined ? START_PATIENCE_MS : PATIENCE_MS;
    return answer?.failures ?? [{ test: 'no end', module: '', message: '' }];
  };

  const put = async (file: string, text: string) => {
    writeSource(folder, file, text);
    changed = [...new Set([...changed, file])];
    if (!room.startsServer) return;
    await tests.close();
    patience = START_PATIENCE_MS;
  };

  const notice = async (mutant: Mutant): Promise<string | undefined> => {
    const found = await findTests(mutant.file);
    if (found.length === 0) return undefined;
    const modules = found.toSorted(
      (a, b) => Number(isTimed(a)) - Number(isTimed(b)) || (merits.get(b) ?? 0) - (merits.get(a) ?? 0),
    );
    const original = readSource(folder, mutant.file);
    await put(mutant.file, applyMutant(original, mutant));
    try {
      for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
        const [failure] = await run(modules);
        if (failure === undefined) return undefined;
        // A server that does not start on a busy machine says nothing: with the fault it does not start again.
        if (failure.module === '' && room.startsServer && attempt === 1) continue;
        if (isTimed(failure.module) && !(await failsAgain(failure))) {
          say(`not believed, passes with the fault as well: ${failure.test}`);
          continue;
        }
        if (failure.module !== '' && !proven.has(failure.test)) {
          await put(mutant.file, original);
          const fails = await failsAgain(failure);
          (fails ? aside : proven).add(failure.test);
          await put(mutant.file, applyMutant(original, mutant));
          if (fails) say(`set aside, fails without a fault as well: ${failure.test}`);
          if (fails) continue;
        }
        merits.set(failure.module, (merits.get(failure.module) ?? 0) + 1);
        return `${failure.module.slice(folder.length + 1)}: ${failure.test || failure.message.split('\n')[0]}`;
      }
      return undefined;
    } finally {
      await put(mutant.file, original);
    }
  };

  const failsAgain = async ({ module, test }: Failure) =>
    (await run([module], test === '' ? undefined : `^${quote(test)}$`)).length > 0;
  return notice;
}

/** A test's name as an expression that matches just that. */
const quote = (name: string): string => name.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
