import type { Benchmark, Figure } from './benchmark.ts';
import { measureAddressBar } from './measure-address-bar.ts';
import { measureAdmin } from './measure-admin.ts';
import { measureApi } from './measure-api.ts';
import { measureAssistants } from './measure-assistants.ts';
import { measureAttack } from './measure-attack.ts';
import { measureInsert } from './measure-insert.ts';
import { measureInteractions } from './measure-interactions.ts';
import { measureLanding } from './measure-landing.ts';
import { measurePages } from './measure-pages.ts';
import { measurePostgrest } from './measure-postgrest.ts';
import { measureRead } from './measure-read.ts';
import { measureRealtime } from './measure-realtime.ts';
import { measureSearch } from './measure-search.ts';
import { measureSharedFolders } from './measure-shared-folders.ts';
import { measureSharedPage } from './measure-shared-page.ts';
import { measureSignIn } from './measure-sign-in.ts';
import { measureStart } from './measure-start.ts';
import { sendManyRandomRequests } from './send-random-requests.ts';

/**
 * `npm run bench` measures everything, `npm run bench -- read search` the named entries; `--quick` shortens those that take
 * minutes. Prints a Markdown table, the one the README carries. Exits 1 when a goal was missed.
 */
const BENCHMARKS: readonly Benchmark[] = [
  { name: 'read', run: measureRead },
  { name: 'search', run: measureSearch },
  { name: 'address-bar', run: measureAddressBar },
  { name: 'insert', run: measureInsert },
  { name: 'postgrest', run: measurePostgrest },
  { name: 'start', run: measureStart },
  { name: 'landing', run: measureLanding },
  { name: 'pages', run: measurePages },
  { name: 'interactions', run: measureInteractions },
  { name: 'realtime', run: measureRealtime },
  { name: 'shared-page', run: measureSharedPage },
  { name: 'shared-folders', run: measureSharedFolders },
  { name: 'admin', run: measureAdmin },
  { name: 'api', run: measureApi },
  { name: 'assistants', run: measureAssistants },
  { name: 'sign-in', run: measureSignIn },
  { name: 'attack', run: measureAttack },
  { name: 'random', run: sendManyRandomRequests },
];

const isQuick = process.argv.includes('--quick');
const wanted = process.argv.slice(2).filter((name) => name !== '--quick');
const unknown = wanted.filter((name) => !BENCHMARKS.some((benchmark) => benchmark.name === name));
if (unknown.length > 0) {
  process.stderr.write(
    `no such benchmark: ${unknown.join(', ')}; there are ${BENCHMARKS.map(({ name }) => name).join(', ')}\n`,
  );
  process.exit(1);
}

const figures: Figure[] = [];
for (const { name, run } of BENCHMARKS) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  process.stderr.write(`measuring ${name}…\n`);
  figures.push(...(await run({ isQuick })));
}
process.stdout.write('| what | measured | goal |\n| --- | --- | --- |\n');
for (const { name, value, goal = '', met } of figures) {
  process.stdout.write(`| ${name} | ${value}${met === false ? ' **missed**' : ''} | ${goal} |\n`);
}
process.exitCode = figures.some(({ met }) => met === false) ? 1 : 0;
