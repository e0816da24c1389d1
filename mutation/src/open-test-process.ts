import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Answer, Question } from './test-process.ts';

export type TestProcess = {
  /** Nothing when it was silent for longer than it may be; the process is gone then. */
  ask(question: Question, silenceMs: number): Promise<Answer | undefined>;
  close(): Promise<void>;
};

const ENTRY = fileURLToPath(new URL('./test-process.ts', import.meta.url));

/** Starts the process that runs the tests of a room, and starts it again after it had to be ended. */
export function openTestProcess(folder: string, room: string): TestProcess {
  let child: ChildProcess | undefined;

  const start = async () => {
    // A group of its own: its workers and its Postgres end with it.
    const started = fork(ENTRY, [folder, room], {
      cwd: folder,
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let said = '';
    started.stderr?.on('data', (piece: Buffer) => {
      said = (said + piece.toString()).slice(-4_000);
    });
    await new Promise<void>((resolve, reject) => {
      started.once('message', () => resolve());
      started.once('exit', () => reject(new Error(`the tests could not be started: ${said}`)));
    });
    return started;
  };

  const end = async (ended: ChildProcess, signal: NodeJS.Signals) => {
    if (ended.exitCode !== null || ended.signalCode !== null || ended.pid === undefined) return;
    const gone = new Promise((resolve) => ended.once('exit', resolve));
    process.kill(-ended.pid, signal);
    await gone;
  };

  return {
    async ask(question, silenceMs) {
      child ??= await start();
      const asked = child;
      const answer = await new Promise<Answer | undefined>((resolve) => {
        const end = (said: Answer | undefined) => {
          clearTimeout(timer);
          asked.off('message', listen).off('exit', leave);
          resolve(said);
        };
        const leave = () => end(undefined);
        const listen = (message: Answer) => (message.goesOn ? timer.refresh() : end(message));
        const timer = setTimeout(leave, silenceMs);
        asked.on('message', listen).on('exit', leave);
        asked.send(question);
      });
      if (answer !== undefined) return answer;
      child = undefined;
      await end(asked, 'SIGKILL');
      return undefined;
    },
    async close() {
      if (child === undefined) return;
      const closing = child;
      child = undefined;
      const gone = new Promise((resolve) => closing.once('exit', resolve));
      closing.disconnect();
      await gone;
    },
  };
}
