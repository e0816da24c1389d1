import {
  BaseSequencer,
  createVitest,
  type TestModule,
  type TestSpecification,
  type Vitest,
} from 'vitest/node';

/** The first test that failed. */
export type Failure = { readonly test: string; readonly module: string; readonly message: string };

export type TestRunner = {
  /** The tests of the room that import the file, directly or not, nearest first. */
  findTests(file: string): Promise<readonly string[]>;
  /** Runs test files in the order given until one fails; `names` is an expression for tests' full names. */
  run(modules: readonly string[], names?: string): Promise<readonly Failure[]>;
  /** The file has another text from now on. */
  invalidate(file: string): void;
  close(): Promise<void>;
};

/** Vitest would run what failed last first; here the order is that of the question. */
let order: readonly string[] = [];
class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return [...files].sort((a, b) => order.indexOf(a.moduleId) - order.indexOf(b.moduleId));
  }
}

export type TestRunnerOptions = {
  readonly folder: string;
  readonly projects: readonly string[];
  /** Whether a path, relative to the folder, is a test of the room. */
  readonly isTest: (path: string) => boolean;
  /** Whether any test may notice any fault, by a server that is started for them all. */
  readonly startsServer: boolean;
  /** Called as often as a test ends. */
  readonly onProgress: () => void;
};

/** One Vitest for a whole room: its database and its compiled modules stay from mutant to mutant, its workers do not. */
export async function createTestRunner({
  folder,
  projects,
  isTest,
  startsServer,
  onProgress,
}: TestRunnerOptions): Promise<TestRunner> {
  const vitest = await createVitest(
    'test',
    {
      root: folder,
      config: `${folder}/vitest.config.ts`,
      project: [...projects],
      watch: false,
      bail: 1,
      maxWorkers: 1,
      fileParallelism: false,
      reporters: [{ onTestCaseResult: onProgress, onTestModuleEnd: onProgress }],
      sequence: { sequencer: InOrder },
      passWithNoTests: true,
    },
    {},
  );
  const all = (await vitest.globTestSpecifications()).filter(({ moduleId }) =>
    isTest(moduleId.slice(folder.length + 1)),
  );
  return {
    async findTests(file) {
      const path = `${folder}/${file}`;
      vitest.config.related = [path];
      const related = await vitest.getRelevantTestSpecifications();
      const wanted = new Set(related.map(({ moduleId }) => moduleId));
      return all
        .map(({ moduleId }) => moduleId)
        .filter((id) => startsServer || wanted.has(id))
        .sort((a, b) => nearness(b, path) - nearness(a, path));
    },
    async run(modules, names) {
      order = modules;
      if (names === undefined) vitest.resetGlobalTestNamePattern();
      else vitest.setGlobalTestNamePattern(new RegExp(names));
      const wanted = new Set(modules);
      const specifications = all.filter(({ moduleId }) => wanted.has(moduleId));
      vitest.state.filesMap.clear();
      const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
      return listFailures(testModules, unhandledErrors);
    },
    invalidate: (file) => vitest.invalidateFile(`${folder}/${file}`),
    close: () => closeQuietly(vitest),
  };
}

/** How many folders two paths share; a test with the file's own name comes before all. */
function nearness(test: string, file: string): number {
  if (test.replace(/\.test\.tsx?$/, '') === file.replace(/\.tsx?$/, '')) return Number.POSITIVE_INFINITY;
  const [a, b] = [test.split('/'), file.split('/')];
  return a.findIndex((part, index) => part !== b[index]);
}

function listFailures(modules: readonly TestModule[], unhandled: readonly unknown[]): readonly Failure[] {
  const failures = modules.flatMap((module) => {
    const failed = [...module.children.allTests('failed')].map((test) => ({
      test: test.fullName.replaceAll(' > ', ' '),
      module: module.moduleId,
      message: test.result().errors?.[0]?.message ?? '',
    }));
    if (failed.length > 0 || module.ok()) return failed;
    const message = module.errors()[0]?.message ?? 'the file failed';
    return [{ test: '', module: module.moduleId, message }];
  });
  if (failures.length > 0 || unhandled.length === 0) return failures;
  return [{ test: '', module: '', message: String((unhandled[0] as { message?: string }).message) }];
}

async function closeQuietly(vitest: Vitest): Promise<void> {
  await vitest.close();
  process.exitCode = 0;
}
