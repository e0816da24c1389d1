import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the whole project. */
export const PROJECT_FOLDER = join(dirname(fileURLToPath(import.meta.url)), '../../..');

export type CommandResult = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** When a command counts as hanging: one of minutes takes several times as long on a busy machine. */
const LONGEST_MS = 300_000;

/**
 * Runs `npm run -s SCRIPT -- ARGUMENTS` as an operator would. One that is ended for hanging says so in its `stderr`.
 * @param environment added to this process's own.
 */
export function runProjectCommand(
  script: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<CommandResult> {
  return new Promise((resolve) => {
    execFile(
      'npm',
      ['run', '-s', script, ...(args.length > 0 ? ['--', ...args] : [])],
      { cwd: PROJECT_FOLDER, env: { ...process.env, ...environment }, timeout: LONGEST_MS },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
        const end = error?.killed ? `${script} was ended after ${LONGEST_MS / 1000} s\n` : '';
        resolve({ code, stdout, stderr: stderr + end });
      },
    );
  });
}
