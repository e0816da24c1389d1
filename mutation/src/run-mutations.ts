import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ROOMS, type Room } from './rooms.ts';
import { type RoomResult, runRoom } from './run-room.ts';
import { SQL_ROOMS } from './sql/rooms.ts';
import { runSqlMutations, type SqlMutationScore } from './sql/run-sql-mutations.ts';

/**
 * `npm run mutate` puts small faults into the code, one at a time, and says which ones no test notices. `npm run mutate -- ROOM …` only
 * those rooms (`rooms.ts`; a room that begins with `sql-` is one of the database); `--sample N` tries as many faults a room instead of
 * all, `--seed N` repeats a sample, `--only PART` tries the files whose path has it, or the objects of the database whose name does,
 * `--again` tries what went unnoticed the last time. The faults are `list-mutants.ts`; what breaks is a copy of the tree. A test that fails is run a second time where it depends on time. Faults that change nothing are in
 * `equivalent-mutants.ts`, with the reason. Writes `mutation/results/ROOM.json`; exits 1 when a room's goal is missed.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    room: { type: 'string', multiple: true, default: [] },
    sample: { type: 'string' },
    seed: { type: 'string' },
    only: { type: 'string' },
    again: { type: 'boolean', default: false },
  },
});

const repository = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const wanted = [...positionals, ...values.room];
const known = [...ROOMS.map(({ name }) => name), ...SQL_ROOMS.map((name) => `sql-${name}`)];
const names = wanted.length > 0 ? wanted : known;
const unknown = names.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`no such room: ${unknown.join(', ')}; there are ${known.join(', ')}\n`);
  process.exit(1);
}

const seed = values.seed === undefined ? randomInt(1_000_000) : Number(values.seed);
const sample = values.sample === undefined ? undefined : Number(values.sample);
process.stderr.write(`seed ${seed}\n`);
const options = { repository, sample, seed, only: values.only };
const resultsOf = (name: string) => `${repository}/mutation/results/${name}.json`;
for (const name of names) {
  const result = await mutate(name);
  const score = result.total === 0 ? 100 : (result.killed / result.total) * 100;
  process.stdout.write(`${name}: ${result.killed} of ${result.total} noticed, ${score.toFixed(1)} %\n`);
  save(result);
  const goal = ROOMS.find((room) => room.name === name)?.goal ?? 0;
  if (score < goal) process.exitCode = 1;
}

function save(result: RoomResult | SqlMutationScore): void {
  mkdirSync(`${repository}/mutation/results`, { recursive: true });
  writeFileSync(resultsOf(result.room), `${JSON.stringify({ ...result, seed }, null, 2)}\n`);
}

async function mutate(name: string): Promise<RoomResult | SqlMutationScore> {
  const say = (text: string) => process.stderr.write(`${name} ${text}\n`);
  const room = ROOMS.find((each) => each.name === name);
  if (room) return values.again ? await tryAgain(room, say) : await runRoom(room, { ...options, say, save });
  if (values.again) return await trySqlAgain(name, say);
  return await runSqlMutations({ room: name, sample, seed, say, object: values.only });
}

/** As below, for a room of the database. */
async function trySqlAgain(room: string, say: (text: string) => void): Promise<SqlMutationScore> {
  const last: SqlMutationScore = JSON.parse(readFileSync(resultsOf(room), 'utf8'));
  const { noticed, survived } = await runSqlMutations({ room, seed, say, among: last.survived });
  const all = [...last.noticed, ...noticed];
  return { room, total: all.length + survived.length, killed: all.length, noticed: all, survived };
}

/** Only the faults that the last run of the room did not see noticed; the others stay noticed. */
async function tryAgain(room: Room, say: (text: string) => void): Promise<RoomResult> {
  const last: RoomResult = JSON.parse(readFileSync(resultsOf(room.name), 'utf8'));
  const again = new Set(last.survived.map(({ file, mutated }) => `${file} ${mutated}`));
  const { killed, survived } = await runRoom(room, {
    save: () => undefined,
    ...options,
    sample: undefined,
    only: undefined,
    again,
    say,
  });
  return {
    room: room.name,
    total: last.killed + killed + survived.length,
    killed: last.killed + killed,
    survived,
  };
}
