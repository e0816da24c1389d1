import { randomInt } from 'node:crypto';
import { inspect, parseArgs } from 'node:util';
import { createDraw } from '@linkoteca/server-process/create-draw';
import { BACKUPS } from './faults/backups.ts';
import { CLOCK_JUMPS } from './faults/clock-jumps.ts';
import { COPIES } from './faults/copies.ts';
import { DATABASE_FAULTS } from './faults/database-faults.ts';
import type { Fault } from './faults/fault.ts';
import { FULL_DISK } from './faults/full-disk.ts';
import { KILLS } from './faults/kills.ts';
import { PURGES } from './faults/purges.ts';
import { drawTable, type Result, writeTable } from './faults/result-table.ts';
import { UPGRADES } from './faults/upgrades.ts';

/**
 * `npm run faults` breaks an installation in every way below while people write, and compares what is there afterwards with what was
 * acknowledged. `npm run faults -- NAME …` only those; `--rounds N` for each, `--seed N` to repeat a run, `--write` puts the table into
 * docs/reliability.md, `--patience N` gives recoveries N times as long, where the machine does other things, too. Exits 1 when something acknowledged is lost or doubled, or a recovery fails or takes too long.
 */
const FAULTS: readonly Fault[] = [
  ...KILLS,
  ...UPGRADES,
  ...PURGES,
  ...BACKUPS,
  FULL_DISK,
  ...DATABASE_FAULTS,
  CLOCK_JUMPS,
  ...COPIES,
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    seed: { type: 'string' },
    patience: { type: 'string', default: '1' },
    write: { type: 'boolean', default: false },
  },
});
const unknown = positionals.filter((name) => !FAULTS.some((fault) => fault.name === name));
if (unknown.length > 0) {
  process.stderr.write(
    `no such fault: ${unknown.join(', ')}; there are ${FAULTS.map(({ name }) => name).join(', ')}\n`,
  );
  process.exit(1);
}

const seed = values.seed === undefined ? randomInt(1_000_000) : Number(values.seed);
process.stderr.write(`seed ${seed}\n`);
const results: Result[] = [];
for (const fault of FAULTS)
  if (positionals.length === 0 || positionals.includes(fault.name)) results.push(await tryFault(fault));

const table = drawTable(results);
process.stdout.write(table);
if (values.write) writeTable(table);
process.exitCode = results.every(({ failures }) => failures.length === 0) ? 0 : 1;

async function tryFault(fault: Fault): Promise<Result> {
  const rounds = values.rounds === undefined ? fault.rounds : Number(values.rounds);
  const say = (text: string) => process.stderr.write(`${fault.name} ${text}\n`);
  const obstacle = fault.findObstacle?.();
  if (obstacle !== undefined) say(`cannot be tried here: ${obstacle}`);
  const [lost, doubled, failures] = [new Set<string>(), new Set<string>(), new Set<string>()];
  let [done, acknowledged, slowestSeconds] = [0, 0, 0];
  const started = performance.now();
  const fail = (text: string) => {
    failures.add(text);
    say(`FAILED: ${text}`);
  };

  try {
    if (obstacle === undefined)
      await fault.run({
        draw: createDraw(seed),
        rounds,
        report(round) {
          done += 1;
          acknowledged += round.acknowledged;
          slowestSeconds = Math.max(slowestSeconds, round.recoverySeconds);
          for (const each of round.lost) lost.add(each);
          for (const each of round.doubled) doubled.add(each);
          for (const each of [...round.lost, ...round.doubled].slice(0, 10)) fail(each);
          if (round.acknowledged === 0) fail('nothing was acknowledged');
          if (round.recoverySeconds > fault.recoverWithinSeconds * Number(values.patience))
            fail(`recovered after ${round.recoverySeconds.toFixed(1)} s`);
          const took = `${round.acknowledged} acknowledged, served again after ${round.recoverySeconds.toFixed(1)} s`;
          say(`${done}/${rounds}: ${took}, ${Math.round((performance.now() - started) / 1000)} s in all`);
        },
      });
  } catch (error) {
    fail(inspect(error));
  }
  return {
    title: fault.title,
    rounds: done,
    acknowledged,
    lost: lost.size,
    doubled: doubled.size,
    slowestSeconds,
    obstacle,
    failures: [...failures],
  };
}
