import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { projectEnvironment, rootFolder } from '../ensure-installed.mjs';

/** The rooms whose imports are bound by rules. */
export const ROOMS = ['apps', 'packages', 'conformance', 'e2e', 'bench', 'mutation', 'supabase'];

/**
 * Runs the project's import rules over the rooms below a folder.
 * @param {string} folder
 * @returns {{ modules: object[], violations: { rule: string, from: string, to: string }[] }}
 */
export function cruiseImports(folder) {
  const output = execFileSync(
    'depcruise',
    ['--config', join(rootFolder, '.dependency-cruiser.cjs'), '--output-type', 'json', ...ROOMS],
    { cwd: folder, env: projectEnvironment(), encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 },
  );
  const { modules, summary } = JSON.parse(output);
  return {
    modules,
    violations: summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to })),
  };
}
