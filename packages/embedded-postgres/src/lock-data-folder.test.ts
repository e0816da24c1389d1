import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { findBinaries } from './binaries.ts';
import { findRunningPostgres } from './find-running-postgres.ts';
import { lockDataFolder } from './lock-data-folder.ts';
import { readHolder, readProcess } from './lock-holder.ts';
import { startEmbeddedPostgres, toConnection } from './start-embedded-postgres.ts';
import { type ClusterModel, createClusterModel, query } from './test-support/cluster-model.ts';
import { createTemporaryFolder } from './test-support/create-temporary-folder.ts';
import { findServing, ISOLATED, signalAll } from './test-support/isolated.ts';
import { type Supervisor, type SupervisorOptions, startSupervisor } from './test-support/start-supervisor.ts';

// Each test starts and kills whole databases; on a busy machine that takes its time.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 });

let model: ClusterModel;
beforeAll(async () => {
  model = await createClusterModel();
});
afterAll(() => model.remove());

function copyModel(): string {
  const { path, remove } = createTemporaryFolder();
  onTestFinished(remove);
  model.copyTo(path);
  return path;
}

/** In a container of its own, with a first process that outlives it. */
const IN_CONTAINER = [...ISOLATED, 'sh', '-c', '"$0" "$@"; sleep 60'];

async function startIsolated(
  data: string,
  prefix = ISOLATED,
  options: SupervisorOptions = {},
): Promise<Supervisor> {
  const supervisor = await startSupervisor(data, prefix, options);
  onTestFinished(async () => {
    const { server, postgres } = findServing(data);
    signalAll([server, ...postgres].filter(Boolean), 'SIGKILL');
    await supervisor.kill();
    await expect.poll(() => findServing(data).postgres, { timeout: 15_000 }).toEqual([]);
  });
  // What a start could learn from it, it cannot in another container.
  if (ISOLATED.length === 0) rmSync(join(data, 'server.lock'));
  return supervisor;
}

const refusalOf = (start: Promise<unknown>) =>
  start.then(
    () => 'started',
    (error: Error) => error.message,
  );

const insert = (socketFolder: string, id: number) => query(socketFolder, `insert into kept values (${id})`);

describe.runIf(process.platform === 'linux')('a data folder in use by another container', () => {
  it('is refused, and told whose it is; the first loses nothing', async () => {
    const data = copyModel();
    const first = await startIsolated(data);
    await insert(first.socketFolder, 1);
    const starts = [startSupervisor(data, ISOLATED), startEmbeddedPostgres({ dataFolder: data })];
    for (const message of await Promise.all(starts.map(refusalOf))) {
      expect(message).toMatch(/^Outra cópia da Linkoteca .*já usa a pasta de dados /);
      if (ISOLATED.length > 0)
        expect(message).toContain(`de "${hostname()}", outro contêiner ou máquina, desde `);
    }
    await insert(first.socketFolder, 2);
    expect(await query(first.socketFolder, 'select id from kept order by id')).toEqual([
      { id: 1 },
      { id: 2 },
    ]);
  });

  it('is refused while that one is stopped in the middle of its work', async () => {
    const data = copyModel();
    const first = await startIsolated(data);
    const { server, postgres } = findServing(data);
    signalAll([server, ...postgres], 'SIGSTOP');
    expect(await refusalOf(startSupervisor(data, ISOLATED))).toContain('já usa a pasta de dados');
    signalAll([server, ...postgres], 'SIGCONT');
    await insert(first.socketFolder, 1);
  });

  it('is refused when somebody has deleted the file that names the owner', async () => {
    const data = copyModel();
    await startIsolated(data);
    rmSync(join(data, 'server.lock'), { force: true });
    expect(await refusalOf(startSupervisor(data, ISOLATED))).toContain('já usa a pasta de dados');
  });

  it('is free once the other is dead, whatever it was doing', async () => {
    const data = copyModel();
    const first = await startIsolated(data);
    await insert(first.socketFolder, 1);
    signalAll([findServing(data).server], 'SIGKILL');
    const second = await startIsolated(data);
    expect(await query(second.socketFolder, 'select id from kept')).toEqual([{ id: 1 }]);
  });

  it('stays closed while a Postgres lives there whose server is dead, and opens when it has ended', async () => {
    const data = copyModel();
    const first = await startIsolated(data, IN_CONTAINER);
    await insert(first.socketFolder, 1);
    const { server, postgres } = findServing(data);
    signalAll(postgres, 'SIGSTOP');
    signalAll([server], 'SIGKILL');
    if (ISOLATED.length > 0)
      expect(await refusalOf(startSupervisor(data, ISOLATED))).toMatch(
        /^Um Postgres que daqui não se vê .* ainda usa .*: encerre-o ali e inicie de novo; os dados estão intactos\.$/,
      );
    signalAll(postgres, 'SIGCONT');
    const second = await startIsolated(data);
    expect(await query(second.socketFolder, 'select id from kept')).toEqual([{ id: 1 }]);
  });

  it('is entered by one of twenty that start at once, in containers or not', async () => {
    const data = copyModel();
    const starts = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => startIsolated(data, index % 2 === 0 ? ISOLATED : [])),
    );
    expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const start of starts)
      if (start.status === 'rejected') expect(String(start.reason)).toContain('Outra cópia da Linkoteca');
  });

  it('is joined by a command from another one, through the socket', async () => {
    const data = copyModel();
    await startIsolated(data);
    const connection = findRunningPostgres(data);
    expect(connection).toEqual(toConnection(join(data, 'socket')));
    expect(await query(connection?.host ?? '', 'select 1 as one')).toEqual([{ one: 1 }]);
    signalAll([findServing(data).server], 'SIGKILL');
    await expect.poll(() => findRunningPostgres(data), { timeout: 15_000 }).toBeUndefined();
  });
});

describe('a data folder in use', () => {
  it('is waited for as long as it is wished, which is said once', async () => {
    const data = copyModel();
    const first = await startSupervisor(data);
    const said: string[] = [];
    const waiting = startEmbeddedPostgres({
      dataFolder: data,
      durable: false,
      patienceMilliseconds: 60_000,
      log: (level, message) => {
        if (level === 'warn') said.push(message);
      },
    });
    await expect.poll(() => said).toHaveLength(1);
    expect(said[0]).toContain(`${data} is in use; waiting`);
    await insert(first.socketFolder, 1);
    await first.stop();
    const second = await waiting;
    onTestFinished(() => second.stop());
    expect(await query(second.socketFolder, 'select id from kept')).toEqual([{ id: 1 }]);
    expect(said).toHaveLength(1);
  });

  it('by an earlier version, which knows no locks of the kernel’s, is refused', async () => {
    const data = copyModel();
    const earlier = spawn('sleep', ['60'], { stdio: 'ignore' });
    onTestFinished(() => void earlier.kill());
    const { startedAt } = readProcess(earlier.pid ?? 0) ?? {};
    const lock = { processId: earlier.pid, startedAt, socketFolder: join(data, 'socket') };
    writeFileSync(join(data, 'server.lock'), JSON.stringify(lock));
    expect(await refusalOf(startEmbeddedPostgres({ dataFolder: data }))).toContain(
      `Outra cópia da Linkoteca (processo ${earlier.pid}) já usa`,
    );
  });

  it('by an earlier version is known by its process’s start as well: whose number another has by now, is dead', async () => {
    const { path: dataFolder, remove } = createTemporaryFolder();
    onTestFinished(remove);
    const { startedAt = '' } = readProcess(process.pid) ?? {};
    const socketFolder = join(dataFolder, 'socket');
    const leave = (start: string) =>
      writeFileSync(
        join(dataFolder, 'server.lock'),
        JSON.stringify({ processId: process.pid, startedAt: start, socketFolder }),
      );
    const claim = { dataFolder, socketFolder, patienceMilliseconds: 0, log: () => undefined };
    leave(startedAt);
    await expect(lockDataFolder(claim)).rejects.toThrow(
      `Outra cópia da Linkoteca (processo ${process.pid}) já usa`,
    );
    leave(`${startedAt}1`);
    const lock = await lockDataFolder(claim);
    onTestFinished(() => lock.release());
    expect(readHolder(dataFolder)).toMatchObject({ processId: process.pid, startedAt });
  });

  it.runIf(process.platform === 'linux' && ISOLATED.length > 0)(
    'by an earlier version in another container is refused',
    async () => {
      const data = copyModel();
      startBarePostgres(data);
      const socketFolder = join(data, 'socket');
      await expect.poll(() => refusalOf(query(socketFolder, 'select'))).toBe('started');
      expect(await refusalOf(startEmbeddedPostgres({ dataFolder: data }))).toContain(
        'Um Postgres que daqui não se vê',
      );
      await insert(socketFolder, 1);
    },
  );

  it('is not held by what its server has started', async () => {
    const data = copyModel();
    const first = await startSupervisor(data, [], { hasChild: true });
    await first.kill();
    const second = await startEmbeddedPostgres({ dataFolder: data, durable: false });
    await second.stop();
  });
});

/** As a version without locks would run it, in a container of its own. */
function startBarePostgres(data: string): void {
  const { uid, gid } = statSync(join(data, 'cluster'));
  const socketFolder = join(data, 'socket');
  mkdirSync(socketFolder, { mode: 0o700 });
  chownSync(socketFolder, uid, gid);
  const settings = ['-c', 'listen_addresses=', '-c', `unix_socket_directories=${socketFolder}`];
  const command = [join(findBinaries(), 'bin/postgres'), '-D', join(data, 'cluster'), ...settings];
  const asOwner =
    uid === process.getuid?.() ? [] : ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  const [program = '', ...args] = [...ISOLATED, ...asOwner, ...command];
  spawn(program, args, { cwd: '/', stdio: 'ignore' });
  // The kernel does not end it with `unshare`: it has changed its account.
  onTestFinished(() => signalAll(findServing(data).postgres, 'SIGKILL'));
}

describe.runIf(process.platform === 'linux')('a first start that was killed', () => {
  it('does not disturb the next one, even while its initdb still works', async () => {
    const { path, remove } = createTemporaryFolder();
    onTestFinished(remove);
    const data = join(path, 'data');
    const first = startSupervisor(data, [], { binaries: makeStubbornInitdb(path) });
    first.catch(() => undefined);
    const unfinished = join(data, 'cluster.new/base');
    await expect
      .poll(() => statSync(unfinished, { throwIfNoEntry: false }), { timeout: 20_000 })
      .toBeDefined();
    signalAll([findServing(data).server], 'SIGKILL');
    const second = await startEmbeddedPostgres({ dataFolder: data, durable: false });
    onTestFinished(() => second.stop());
    expect(await query(second.socketFolder, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(() => statSync(join(data, 'cluster.new'))).toThrow('ENOENT');
  });

  /** It goes on for two seconds after its server has died, making its folder again and again. */
  function makeStubbornInitdb(path: string): string {
    const binaries = join(path, 'native');
    mkdirSync(join(binaries, 'bin'), { recursive: true });
    for (const name of ['lib', 'share']) symlinkSync(join(findBinaries(), name), join(binaries, name));
    cpSync(join(findBinaries(), 'bin/postgres'), join(binaries, 'bin/postgres'));
    const script = join(binaries, 'bin/initdb');
    const lines = [
      '#!/bin/sh',
      'trap "" INT',
      'end=$(($(date +%s) + 3))',
      'while [ "$(date +%s)" -lt $end ]; do mkdir -p "$2/base/1" && : > "$2/base/1/file"; done',
      'exit 1',
    ];
    writeFileSync(script, lines.join('\n'));
    chmodSync(script, 0o755);
    return binaries;
  }
});
