import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_FOLDER } from '@linkoteca/server-process/run-project-command';

export type Result = {
  readonly title: string;
  readonly rounds: number;
  readonly acknowledged: number;
  readonly lost: number;
  readonly doubled: number;
  readonly slowestSeconds: number;
  /** Why it was not tried. */
  readonly obstacle: string | undefined;
  readonly failures: readonly string[];
};

const DOCUMENT = join(PROJECT_FOLDER, 'docs/reliability.md');
const PLACE = /(<!-- faults -->\n)[\s\S]*?(<!-- \/faults -->)/;

/** The table of docs/reliability.md, in Markdown. */
export function drawTable(results: readonly Result[]): string {
  const rows = results.map((result) => `| ${listCells(result).join(' | ')} |\n`);
  return `| fault | rounds | acknowledged | lost | doubled | slowest recovery |\n| --- | --- | --- | --- | --- | --- |\n${rows.join('')}`;
}

function listCells({ title, obstacle, failures, ...figures }: Result): readonly (string | number)[] {
  const { rounds, acknowledged, lost, doubled, slowestSeconds } = figures;
  if (obstacle !== undefined) return [title, `not tried here: ${obstacle}`, '', '', '', ''];
  const mark = failures.length > 0 ? ' **failed**' : '';
  return [
    `${title}${mark}`,
    rounds,
    acknowledged.toLocaleString('en'),
    lost,
    doubled,
    `${slowestSeconds.toFixed(1)} s`,
  ];
}

/** @throws Error when the document has no place for it. */
export function writeTable(table: string): void {
  const text = readFileSync(DOCUMENT, 'utf8');
  if (!PLACE.test(text)) throw new Error(`${DOCUMENT} has no place for the table`);
  writeFileSync(
    DOCUMENT,
    text.replace(PLACE, (_all, start, end) => `${start}${table}\n${end}`),
  );
}
