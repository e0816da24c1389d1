import { findRoom } from './rooms.ts';
import { createTestRunner, type Failure } from './test-runner.ts';

/** What the process that breaks the code asks of the one that runs the tests. */
export type Question =
  | { readonly ask: 'tests'; readonly file: string }
  | {
      readonly ask: 'run';
      /** Files whose text has changed since. */
      readonly changed: readonly string[];
      readonly modules: readonly string[];
      /** Matched against a test's full name. */
      readonly names?: string;
    };

export type Answer = {
  /** A test has ended, and the answer is still to come. */
  readonly goesOn?: true;
  readonly tests?: readonly string[];
  readonly failures?: readonly Failure[];
};

/** A process of its own, so that a mutant that turns for ever can be ended: `node test-process.ts FOLDER ROOM`. */
const [folder = '', roomName = ''] = process.argv.slice(2);
const { projects, isTest, startsServer } = findRoom(roomName);
const runner = await createTestRunner({
  folder,
  projects,
  isTest,
  startsServer: startsServer === true,
  onProgress: () => process.send?.({ goesOn: true } satisfies Answer),
});

process.on('message', async (question: Question) => {
  process.send?.(await answer(question));
});
process.on('disconnect', () => runner.close().finally(() => process.exit(0)));
process.send?.({});

async function answer(question: Question): Promise<Answer> {
  if (question.ask === 'tests') return { tests: await runner.findTests(question.file) };
  for (const file of question.changed) runner.invalidate(file);
  return { failures: await runner.run(question.modules, question.names) };
}
