import { spawn } from 'node:child_process';
import { projectEnvironment } from './ensure-installed.mjs';

/**
 * Runs one of the project's own tools to its end.
 * @param {string} command
 * @param {string[]} args
 * @param {string} folder where it runs.
 * @param {Record<string, string>} [environment] on top of this process's own.
 * @returns {Promise<{ code: number, output: string }>} `output` is what it wrote to both streams.
 */
export function runTool(command, args, folder, environment = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: folder,
      env: projectEnvironment(environment),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }
    child.on('error', (error) => resolve({ code: 1, output: String(error) }));
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}
