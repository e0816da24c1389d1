import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { projectEnvironment, rootFolder } from '../ensure-installed.mjs';

const { PRIORITY_BELOW_NORMAL } = constants.priority;

/**
 * One thing that `npm test` does.
 * @typedef {object} Step
 * @property {string} name what the progress line says.
 * @property {string[]} command the program and its arguments, run in the root folder.
 * @property {Record<string, string>} [environment]
 * @property {string[]} [after] names of the steps that must have passed before this one starts.
 * @property {string[]} [beside] the only steps beside which it may run: its timing suffers from all other company.
 * @property {boolean} [givesWay] true for a step that waits more than it works, and measures no time: the others go first.
 * @property {number} [minutes] after which a step counts as hung; 10 unless told.
 * @property {RegExp} [ignores] paths from the root folder that it does not read: it may be left out when it has passed on all others
 *   as they are. A step without it always runs.
 * @property {() => Promise<import('./read-test-report.mjs').TestReport>} [count] reads the step's own numbers; a step
 *   without it is one check.
 */

/** @typedef {{ name: string, passed: number, failed: number, failures: string[], note: string }} StepResult */

/**
 * Runs the steps, at most `width` at once, in the order given wherever `after` and `beside` allow.
 * @param {Step[]} steps
 * @param {{ width: number, say: (line: string) => void, passedSteps: Awaited<ReturnType<typeof import('./passed-steps.mjs').openPassedSteps>> }} options
 * @returns {Promise<StepResult[]>}
 */
export async function runSteps(steps, { width, say, passedSteps }) {
  /** @type {Map<string, StepResult>} */
  const results = new Map();
  const waiting = [...steps];
  const running = new Map();

  while (waiting.length > 0 || running.size > 0) {
    const next = takeNext({ waiting, running, results, width });
    if (next === undefined) {
      const result = await Promise.race([...running.values()].map((entry) => entry.done));
      running.delete(result.name);
      results.set(result.name, result);
      continue;
    }
    const blocker = (next.after ?? []).find((name) => results.has(name) && results.get(name).failed > 0);
    if (blocker !== undefined) {
      say(`✗ ${next.name}: not run, because “${blocker}” failed`);
      results.set(next.name, {
        name: next.name,
        passed: 0,
        failed: 1,
        failures: [],
        note: `needs “${blocker}”`,
      });
      continue;
    }
    say(`▸ ${next.name}`);
    running.set(next.name, { step: next, done: passedSteps.remember(next, () => runStep(next, say)) });
  }
  return [...results.values()];
}

/** Takes the first step that may start now out of `waiting`; undefined when one of the running must end first. */
function takeNext({ waiting, running, results, width }) {
  if (running.size >= width) return undefined;
  const isAllowed = (step, other) => step.beside === undefined || step.beside.includes(other.name);
  const index = waiting.findIndex(
    (step) =>
      (step.after ?? []).every((name) => results.has(name)) &&
      [...running.values()].every(({ step: other }) => isAllowed(step, other) && isAllowed(other, step)),
  );
  return index === -1 ? undefined : waiting.splice(index, 1)[0];
}

/** @returns {Promise<StepResult>} */
async function runStep(step, say) {
  const startedAt = performance.now();
  const { code, output } = await execute(step);
  const counted = await countResults(step, code);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const numbers = step.count === undefined ? '' : `: ${counted.passed} passed, ${counted.failed} failed`;
  // A crash after the last test is no pass either.
  const crashed = code !== 0 && counted.failed === 0;
  const failed = crashed ? counted.failed + 1 : counted.failed;
  if (failed > 0) say(`\n${output.trimEnd()}\n`);
  say(
    `${failed > 0 ? '✗' : '✓'} ${step.name}${numbers}${crashed ? ` (ended with ${code})` : ''} (${seconds} s)`,
  );
  const note = crashed ? `ended with ${code}` : '';
  return { name: step.name, passed: counted.passed, failed, failures: counted.failures, note };
}

async function countResults(step, code) {
  if (step.count === undefined)
    return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, failures: [] };
  try {
    return await step.count();
  } catch {
    // No report at all: the runner died before it could write one.
    return { passed: 0, failed: 1, failures: [] };
  }
}

/** Process groups of the running steps, so that an interrupted run leaves nothing behind. */
const groups = new Set();

/** Ends every running step with all that it started. */
export function endRunningSteps() {
  for (const group of groups) signalGroup(group, 'SIGKILL');
}

function signalGroup(group, signal) {
  try {
    process.kill(-group, signal);
  } catch {
    // The group has ended meanwhile.
  }
}

function execute(step) {
  const [program, ...args] = step.command;
  const minutes = step.minutes ?? 10;
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: rootFolder,
      env: projectEnvironment(step.environment),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const chunks = [];
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.stderr.on('data', (chunk) => chunks.push(chunk));
    if (child.pid !== undefined) groups.add(child.pid);
    if (child.pid !== undefined && step.givesWay) setPriority(child.pid, PRIORITY_BELOW_NORMAL);
    const timer = setTimeout(() => {
      chunks.push(Buffer.from(`\nnothing after ${minutes} minutes: ended.\n`));
      if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
    }, minutes * 60_000);
    const finish = (code) => {
      clearTimeout(timer);
      if (child.pid !== undefined) groups.delete(child.pid);
      resolve({ code, output: Buffer.concat(chunks).toString('utf8') });
    };
    child.on('error', (error) => {
      chunks.push(Buffer.from(`${error}\n`));
      finish(1);
    });
    child.on('close', (code, signal) => finish(code ?? signal));
  });
}
