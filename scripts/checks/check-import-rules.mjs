// The import rules over the real tree, and the proof that imports between workspaces were seen at all.
import { rootFolder } from '../ensure-installed.mjs';
import { cruiseImports } from './cruise-imports.mjs';

const { modules, violations } = cruiseImports(rootFolder);
for (const { rule, from, to } of violations) console.error(`${rule}: ${from} → ${to}`);

const workspaceImports = modules
  .flatMap((module) => module.dependencies)
  .filter((dependency) => dependency.module.startsWith('@linkoteca/'));
const unchecked = workspaceImports.filter((dependency) => !dependency.resolved.startsWith('packages/'));
for (const { module, resolved } of unchecked) console.error(`unchecked: ${module} resolved to ${resolved}`);
if (workspaceImports.length === 0) console.error('no import between workspaces was seen');

const faults = violations.length + unchecked.length + (workspaceImports.length === 0 ? 1 : 0);
if (faults > 0) process.exitCode = 1;
else console.log(`${modules.length} modules, ${workspaceImports.length} imports between workspaces`);
