// The line 'Counted: …' below each section of docs/coverage.md says what its table says; `--write` puts it right.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootFolder } from '../ensure-installed.mjs';

const DOCUMENT = join(rootFolder, 'docs/coverage.md');
const text = readFileSync(DOCUMENT, 'utf8');

/** @returns {'covered' | 'partial' | 'missing' | undefined} undefined for a line that is no row. */
function judge(line) {
  const cells = line.split('|').map((cell) => cell.trim());
  const [, what, code = '', test = ''] = cells;
  if (cells.length < 5 || what === 'line' || /^-+$/.test(what)) return undefined;
  if (code.startsWith('missing')) return 'missing';
  return test.startsWith('missing') || `${code}${test}`.includes('partial:') ? 'partial' : 'covered';
}

const corrected = text
  .split(/^(?=## )/m)
  .map((section) => {
    const counts = { covered: 0, partial: 0, missing: 0 };
    for (const status of section.split('\n').map(judge)) if (status !== undefined) counts[status] += 1;
    const line = `Counted: ${counts.covered} covered, ${counts.partial} partial, ${counts.missing} missing.`;
    return section.replace(/^Counted: .*$/m, line);
  })
  .join('');

if (corrected !== text && process.argv.includes('--write')) writeFileSync(DOCUMENT, corrected);
else if (corrected !== text) {
  console.error(
    'docs/coverage.md counts wrongly: run "node scripts/checks/check-coverage-counts.mjs --write".',
  );
  process.exitCode = 1;
}
