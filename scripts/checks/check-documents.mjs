// Documents may only point at what exists: links, paths in backquotes, npm scripts; and the table of
// docs/coverage.md has for each line of the specification both a code path and a test, or says 'missing'. The table of
// rooms in docs/architecture.md lists every folder of these parents, by its path or by its name in the parent's row.
// A decision is a page, and whatever is committed may only mention decisions that there are.
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { rootFolder } from '../ensure-installed.mjs';

const documents = ['README.md', ...globSync('docs/**/*.md', { cwd: rootFolder })];
const read = (path) => readFileSync(join(rootFolder, path), 'utf8');
const { scripts, workspaces } = JSON.parse(read('package.json'));

/** A backquoted word is taken for a path when it starts with one of the project's own folders. */
const FOLDERS = [
  ...new Set([...workspaces.map((folder) => folder.split('/')[0]), 'docs', 'scripts', 'supabase']),
];
const LOOKS_LIKE_PATH = new RegExp(`^\\.?(?:${FOLDERS.join('|')})/[\\w.@/*{},-]+$`);
/** What only stands for a name, and what a build makes. */
const NOT_COMMITTED = /NAME|NNNN|…|\.\.\.|\/dist(?:\/|$)/;

const exists = (path) =>
  /[*{]/.test(path) ? globSync(path, { cwd: rootFolder }).length > 0 : existsSync(join(rootFolder, path));

const faults = [];
const eachLine = (path, visit) => {
  for (const [index, line] of read(path).split('\n').entries()) visit(line, `${path}:${index + 1}`);
};

for (const document of documents) {
  eachLine(document, (line, at) => {
    for (const [, target] of line.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)) {
      const path = normalize(join(dirname(document), target));
      if (!exists(path)) faults.push(`${at} links to ${path}, which does not exist`);
    }
    for (const [, word] of line.matchAll(/`([^`]+)`/g)) {
      if (LOOKS_LIKE_PATH.test(word) && !NOT_COMMITTED.test(word) && !exists(word)) {
        faults.push(`${at} names ${word}, which does not exist`);
      }
    }
    for (const [, script] of line.matchAll(/npm run (?:-s )?([\w:-]+)/g)) {
      if (scripts[script] === undefined) faults.push(`${at} names npm run ${script}, which does not exist`);
    }
  });
}

const PARENTS_OF_ROOMS = [
  'apps/extension/src',
  'apps/server/src',
  'apps/server/src/services',
  'apps/web/src',
  'apps/web/src/features',
  'packages',
];
const roomRows = read('docs/architecture.md')
  .split('\n')
  .filter((line) => line.startsWith('|'));
for (const parent of PARENTS_OF_ROOMS) {
  for (const entry of readdirSync(join(rootFolder, parent), { withFileTypes: true })) {
    if (!entry.isDirectory() || /^test(?:-support)?$/.test(entry.name)) continue;
    const path = `${parent}/${entry.name}`;
    const isNamed = (row) =>
      row.includes(`${path}/`) ||
      (row.includes(`\`${parent}`) && new RegExp(`\`${entry.name}/?\``).test(row));
    if (!roomRows.some(isNamed)) faults.push(`docs/architecture.md does not list the room ${path}/`);
  }
}

// Each section of docs/changing.md is a table of files, no longer than its first sentence promises; a row's names in code stand in its file.
for (const section of read('docs/changing.md').split(/^## /m).slice(1)) {
  const title = section.split('\n', 1)[0];
  const rows = [...section.matchAll(/^\| `([^`]+)`[^|]*\| (.*) \|$/gm)];
  const promised = Number(/^At most (\d+) files/m.exec(section)?.[1] ?? 0);
  if (rows.length === 0 || rows.length > promised)
    faults.push(`docs/changing.md: '${title}' takes ${rows.length} files of ${promised}`);
  for (const [, path, text] of rows) {
    if (NOT_COMMITTED.test(path) || !exists(path)) continue;
    for (const [, name] of text.matchAll(/`((?!ACME)[A-Z][A-Z_]{3,}|(?!acme)[a-z]+[A-Z]\w*|contents)`/g)) {
      if (!read(path).includes(name)) faults.push(`docs/changing.md: ${path} has no ${name}`);
    }
  }
}

const MAXIMUM_WORDS = 450;
const decisions = globSync('docs/decisions/*.md', { cwd: rootFolder });
const numbers = new Set(decisions.map((path) => basename(path).slice(0, 4)));
for (const path of decisions) {
  const words = read(path).trim().split(/\s+/).length;
  if (words > MAXIMUM_WORDS) faults.push(`${path} has ${words} words: leave out what the code says`);
}
if (numbers.size < decisions.length) faults.push('docs/decisions has a number twice');

/** 'decision 0001', 'decisions 0001 and 0004', 'docs/decisions/0001'. */
const MENTION = /\bdecisions?[ /](\d{4})\b(?: and (\d{4})\b)?/gi;
const mentions = execFileSync('git', ['grep', '-nIiE', '--untracked', 'decisions?[ /][0-9]{4}'], {
  cwd: rootFolder,
  encoding: 'utf8',
});
for (const line of mentions.trim().split('\n')) {
  const [, at, text] = /^([^:]+:\d+):(.*)$/.exec(line);
  for (const number of [...text.matchAll(MENTION)].flatMap((found) => found.slice(1))) {
    if (number !== undefined && !numbers.has(number))
      faults.push(`${at} mentions a decision ${number}, which does not exist`);
  }
}

let covered = 0;
let missing = 0;
const sections = new Set();
eachLine('docs/coverage.md', (line, at) => {
  const section = /^## (\d)\./.exec(line)?.[1];
  if (section !== undefined) sections.add(section);
  const cells = line.split('|').map((cell) => cell.trim());
  if (cells.length < 4 || cells[1] === 'line' || /^-+$/.test(cells[1])) return;
  const [, , code, test] = cells;
  const isPath = (cell) => /`[^`]+\/[^`]+`/.test(cell);
  const isMissing = (cell) => /^missing\b/.test(cell);
  if (!isPath(code) && !isMissing(code)) faults.push(`${at} has neither a code path nor 'missing'`);
  if (!isPath(test) && !isMissing(test)) faults.push(`${at} has neither a test path nor 'missing'`);
  if (isMissing(code) || isMissing(test)) missing += 1;
  else covered += 1;
});
for (const section of '23456789') {
  if (!sections.has(section)) faults.push(`docs/coverage.md has no section ${section}`);
}

if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exitCode = 1;
} else {
  console.log(`${documents.length} documents; coverage: ${covered} lines covered, ${missing} missing`);
}
