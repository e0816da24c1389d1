import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { findBinaries } from './binaries.ts';
import { findRunningPostgres } from './find-running-postgres.ts';
import { readProcess } from './lock-holder.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres, toConnection } from './start-embedded-postgres.ts';
import { type ClusterModel, createClusterModel, query } from './test-support/cluster-model.ts';
import { createTemporaryFolder } from './test-support/create-temporary-folder.ts';
import { type Supervisor, startSupervisor } from './test-support/start-supervisor.ts';

// Each test starts and kills whole databases; on a busy machine that takes its time.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const isRoot = process.getuid?.() === 0;
const isLinux = process.platform === 'linux';

let model: ClusterModel;
let folder: ReturnType<typeof createTemporaryFolder>;

beforeAll(async () => {
  model = await createClusterModel();
});
afterAll(() => model.remove());

/** Removed after whatever the test has started in it was stopped: the last registered runs first. */
function makeFolder(): string {
  folder = createTemporaryFolder();
  onTestFinished(folder.remove);
  return folder.path;
}

function copyModel(): string {
  model.copyTo(makeFolder());
  return folder.path;
}

const isAlive = (processId: number) => {
  const found = readProcess(processId);
  return found !== undefined && !found.isZombie;
};

async function killWhole(supervisor: Supervisor): Promise<void> {
  await supervisor.kill();
  await untilGone(supervisor.postgresId);
}

const untilGone = (processId: number) =>
  expect.poll(() => isAlive(processId), { timeout: 15_000 }).toBe(false);

describe('an embedded Postgres', () => {
  it('listens on a private socket and on no port', async () => {
    const postgres = await startEmbeddedPostgres({ dataFolder: copyModel() });
    onTestFinished(() => postgres.stop());
    expect(statSync(postgres.socketFolder).mode & 0o777).toBe(0o700);
    const [settings] = await query(
      postgres.socketFolder,
      `select current_setting('listen_addresses') as addresses, current_setting('fsync') as fsync,
        current_setting('wal_level') as wal, current_setting('autovacuum') as vacuum`,
    );
    expect(settings).toEqual({ addresses: '', fsync: 'on', wal: 'logical', vacuum: 'on' });
  });

  it('runs as an account that is not root', async () => {
    const postgres = await startEmbeddedPostgres({ dataFolder: copyModel(), durable: false });
    onTestFinished(() => postgres.stop());
    const owner = statSync(`/proc/${postgres.processId()}`).uid;
    expect(owner).not.toBe(0);
    expect(owner).toBe(statSync(join(folder.path, 'cluster')).uid);
  });

  it('keeps folders above its own closed to others where it found them closed', async () => {
    const data = copyModel();
    chmodSync(data, 0o700);
    const postgres = await startEmbeddedPostgres({ dataFolder: data, durable: false });
    onTestFinished(() => postgres.stop());
    expect(await query(postgres.socketFolder, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(statSync(data).mode & 0o777).toBe(0o700);
  });

  it('makes its first cluster below a closed folder', async () => {
    makeFolder();
    chmodSync(folder.path, 0o700);
    const postgres = await startEmbeddedPostgres({ dataFolder: join(folder.path, 'data'), durable: false });
    onTestFinished(() => postgres.stop());
    expect(await query(postgres.socketFolder, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('moves the socket when the path is too long for one, and cleans up after itself', async () => {
    copyModel();
    const long = join(folder.path, 'x'.repeat(120));
    mkdirSync(long);
    cpSync(join(folder.path, 'cluster'), join(long, 'cluster'), { recursive: true });
    const { uid, gid } = statSync(join(folder.path, 'cluster'));
    execFileSync('chown', ['-R', `${uid}:${gid}`, join(long, 'cluster')]);
    const postgres = await startEmbeddedPostgres({ dataFolder: long, durable: false });
    expect(postgres.socketFolder.startsWith(long)).toBe(false);
    expect(findRunningPostgres(long)).toEqual(postgres.connection);
    expect(await query(postgres.socketFolder, 'select 1 as one')).toEqual([{ one: 1 }]);
    await postgres.stop();
    expect(() => statSync(postgres.socketFolder)).toThrow('ENOENT');
  });

  it('forgets nothing of a start that was cut short', async () => {
    const data = copyModel();
    mkdirSync(join(data, 'cluster.new'));
    writeFileSync(join(data, 'cluster.new', 'PG_VERSION'), '18\n');
    const postgres = await startEmbeddedPostgres({ dataFolder: data, durable: false });
    onTestFinished(() => postgres.stop());
    expect(() => statSync(join(data, 'cluster.new'))).toThrow('ENOENT');
    expect(await query(postgres.socketFolder, 'select count(*)::int from kept')).toEqual([{ count: 0 }]);
  });

  it('does not touch a folder with somebody else’s files', async () => {
    makeFolder();
    mkdirSync(join(folder.path, 'cluster'));
    writeFileSync(join(folder.path, 'cluster', 'precious.txt'), 'mine');
    await expect(startEmbeddedPostgres({ dataFolder: folder.path })).rejects.toThrow(
      /não são de um banco de dados/,
    );
    expect(readFileSync(join(folder.path, 'cluster', 'precious.txt'), 'utf8')).toBe('mine');
  });

  it('says in one line that a setting is wrong', async () => {
    const start = startEmbeddedPostgres({ dataFolder: copyModel(), settings: { shared_buffers: 'plenty' } });
    await expect(start).rejects.toThrow(/^O banco de dados não iniciou: .*shared_buffers.*$/);
    expect(findRunningPostgres(folder.path)).toBeUndefined();
  });

  it.runIf(isRoot)('takes over a cluster that root has restored from a backup', async () => {
    const data = copyModel();
    execFileSync('chown', ['-R', '0:0', join(data, 'cluster')]);
    const postgres = await startEmbeddedPostgres({ dataFolder: data, durable: false });
    onTestFinished(() => postgres.stop());
    expect(await query(postgres.socketFolder, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('recreates the links between libraries that a skipped postinstall leaves out', async () => {
    const data = copyModel();
    const binaries = join(folder.path, 'native');
    cpSync(findBinaries(), binaries, { recursive: true, verbatimSymlinks: true });
    execFileSync('find', [join(binaries, 'lib'), '-maxdepth', '1', '-type', 'l', '-delete']);
    const postgres = await startEmbeddedPostgres({ dataFolder: data, durable: false, binaries });
    onTestFinished(() => postgres.stop());
    expect(await query(postgres.socketFolder, 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});

describe('a second copy', () => {
  it('refuses with one line and leaves the first alone', async () => {
    const data = copyModel();
    const first = await startSupervisor(data);
    onTestFinished(() => killWhole(first));
    await expect(startEmbeddedPostgres({ dataFolder: data, durable: false })).rejects.toThrow(
      `Outra cópia da Linkoteca (processo ${first.process.pid}, desde `,
    );
    expect(await query(first.socketFolder, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('is let in once the first has stopped', async () => {
    const data = copyModel();
    const first = await startSupervisor(data);
    expect(findRunningPostgres(data)).toEqual(toConnection(first.socketFolder));
    expect(await first.stop()).toBe(0);
    expect(isAlive(first.postgresId)).toBe(false);
    expect(findRunningPostgres(data)).toBeUndefined();
    const second = await startSupervisor(data);
    expect(await second.stop()).toBe(0);
  });

  it('wins alone when several start at once over a dead one’s lock', async () => {
    const data = copyModel();
    const dead = await startSupervisor(data);
    await dead.kill();
    const starts = await Promise.allSettled([1, 2, 3].map(() => startSupervisor(data)));
    const won = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
    onTestFinished(async () => {
      await Promise.all(won.map(killWhole));
    });
    expect(won).toHaveLength(1);
    for (const start of starts)
      if (start.status === 'rejected') expect(String(start.reason)).toContain('Outra cópia da Linkoteca');
  });
});

describe.runIf(isLinux)('after kill -9', () => {
  it('of the server, Postgres ends by itself and the next start finds every acknowledged row', async () => {
    const data = copyModel();
    const first = await startSupervisor(data);
    const kept = await writeUntil(first.socketFolder, () => first.kill());
    await untilGone(first.postgresId);
    await expectKept(await startNext(data), kept);
  });

  it('of the server, the next start does not even have to wait', async () => {
    const data = copyModel();
    const first = await startSupervisor(data);
    await first.kill();
    await expectKept(await startNext(data), 0);
  });

  it('of Postgres, it is back by itself with every acknowledged row', async () => {
    const postgres = await startEmbeddedPostgres({ dataFolder: copyModel() });
    onTestFinished(() => postgres.stop());
    const victim = postgres.processId() ?? 0;
    const kept = await writeUntil(postgres.socketFolder, async () => {
      process.kill(victim, 'SIGKILL');
    });
    await untilGone(victim);
    await untilReplaced(postgres, victim);
    await expectKept(postgres.socketFolder, kept);
  });

  it('of Postgres, again and again, it keeps coming back and stops when asked to', async () => {
    const postgres = await startEmbeddedPostgres({ dataFolder: copyModel() });
    for (let round = 0; round < 3; round += 1) {
      const victim = postgres.processId() ?? 0;
      process.kill(victim, 'SIGKILL');
      await untilReplaced(postgres, victim);
    }
    const last = postgres.processId() ?? 0;
    process.kill(last, 'SIGKILL');
    await postgres.stop();
    await untilGone(last);
    expect(postgres.isRunning()).toBe(false);
    expect(findRunningPostgres(folder.path)).toBeUndefined();
  });

  it('of both at once, the next start recovers', async () => {
    const data = copyModel();
    const first = await startSupervisor(data);
    const kept = await writeUntil(first.socketFolder, async () => {
      process.kill(first.postgresId, 'SIGKILL');
      await first.kill();
    });
    await expectKept(await startNext(data), kept);
  });

  const untilReplaced = (postgres: EmbeddedPostgres, victim: number) =>
    expect.poll(() => [undefined, victim].includes(postgres.processId()), { timeout: 30_000 }).toBe(false);

  async function startNext(data: string): Promise<string> {
    const next = await startEmbeddedPostgres({ dataFolder: data });
    onTestFinished(() => next.stop());
    return next.socketFolder;
  }

  async function expectKept(socketFolder: string, kept: number): Promise<void> {
    const rows = await query(
      socketFolder,
      'select coalesce(max(id), 0) as last, count(*)::int as count from kept',
    );
    const [{ last, count } = { last: -1, count: -1 }] = rows as { last: number; count: number }[];
    // The insert under way when the power went may have been written too; none may be missing.
    expect([kept, kept + 1]).toContain(last);
    expect(count).toBe(last);
  }

  /** Inserts 1, 2, 3, … until the cut. @returns the last that was acknowledged. */
  async function writeUntil(socketFolder: string, cut: () => Promise<void>): Promise<number> {
    const client = new pg.Client(toConnection(socketFolder));
    client.on('error', () => undefined);
    await client.connect();
    let last = 0;
    const writing = (async () => {
      for (;;) {
        await client.query('insert into kept values ($1)', [last + 1]);
        last += 1;
      }
    })();
    // It fails before anybody waits for it.
    writing.catch(() => undefined);
    await wait(150);
    await cut();
    await expect(writing).rejects.toThrow();
    expect(last).toBeGreaterThan(0);
    return last;
  }
});

describe.runIf(isLinux)('a postmaster.pid', () => {
  const writePid = (data: string, content: string) => {
    const path = join(data, 'cluster', 'postmaster.pid');
    writeFileSync(path, content, { mode: 0o600 });
    const { uid, gid } = statSync(dirname(path));
    chownSync(path, uid, gid);
  };
  const expectStart = async (data: string) => {
    const postgres = await startEmbeddedPostgres({ dataFolder: data, durable: false });
    onTestFinished(() => postgres.stop());
    expect(await query(postgres.socketFolder, 'select 1 as one')).toEqual([{ one: 1 }]);
  };

  it('that is empty does not block the start', async () => {
    const data = copyModel();
    writePid(data, '');
    await expectStart(data);
  });

  it('that names nobody does not block the start', async () => {
    const data = copyModel();
    writePid(data, '4194303\n');
    await expectStart(data);
  });

  it('that names somebody else’s process does not block the start, nor harm that process', async () => {
    const data = copyModel();
    const stranger = spawn('sleep', ['60'], { stdio: 'ignore' });
    onTestFinished(() => {
      stranger.kill();
    });
    writePid(data, `${stranger.pid}\n${join(data, 'cluster')}\n`);
    await expectStart(data);
    expect(isAlive(stranger.pid ?? 0)).toBe(true);
  });

  it('that names a zombie does not block the start', async () => {
    const data = copyModel();
    // The outer shell becomes a sleep, which never collects a child; the inner one ends only when that has happened.
    const inner = 'until grep -q sleep /proc/$PPID/comm; do :; done';
    const parent = spawn('sh', ['-c', `sh -c '${inner}' & echo $!; exec sleep 60`], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    onTestFinished(() => {
      parent.kill();
    });
    const [output] = (await once(parent.stdout, 'data')) as [Buffer];
    const zombie = Number(String(output));
    await expect.poll(() => readProcess(zombie)?.isZombie, { timeout: 20_000 }).toBe(true);
    writePid(data, `${zombie}\n${join(data, 'cluster')}\n`);
    await expectStart(data);
  });

  it('of a Postgres that outlived its server: that one is ended first', async () => {
    const data = copyModel();
    const cluster = join(data, 'cluster');
    const { uid, gid } = statSync(cluster);
    const socketFolder = join(data, 'orphan');
    mkdirSync(socketFolder);
    chownSync(socketFolder, uid, gid);
    const orphan = spawn(
      join(findBinaries(), 'bin', 'postgres'),
      ['-D', cluster, '-c', 'listen_addresses=', '-c', `unix_socket_directories=${socketFolder}`],
      { cwd: '/', stdio: 'ignore', detached: true, ...(isRoot ? { uid, gid } : {}) },
    );
    await expect
      .poll(() =>
        query(socketFolder, 'select 1').then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    await expectStart(data);
    await untilGone(orphan.pid ?? 0);
  });
});

describe('on a system without setpriv', () => {
  /** Nothing on the path but what tells root who the other accounts are. */
  function hideSetpriv(): string[] {
    const programs = join(folder.path, 'programs');
    mkdirSync(programs);
    symlinkSync(execFileSync('which', ['id'], { encoding: 'utf8' }).trim(), join(programs, 'id'));
    return ['env', `PATH=${programs}`];
  }

  it('Postgres still ends when the server is killed', async () => {
    const data = copyModel();
    const first = await startSupervisor(data, hideSetpriv());
    const [postmaster = ''] = readFileSync(join(data, 'cluster/postmaster.pid'), 'utf8').split('\n');
    expect(Number(postmaster)).not.toBe(first.postgresId);
    expect(await query(first.socketFolder, 'select 1 as one')).toEqual([{ one: 1 }]);
    await first.kill();
    await untilGone(Number(postmaster));
    await untilGone(first.postgresId);
  });

  it('it stops cleanly, and its crash is noticed', async () => {
    const data = copyModel();
    const first = await startSupervisor(data, hideSetpriv());
    const readPostmaster = () =>
      Number(readFileSync(join(data, 'cluster/postmaster.pid'), 'utf8').split('\n')[0]);
    const victim = readPostmaster();
    process.kill(victim, 'SIGKILL');
    await untilGone(victim);
    const answers = () =>
      query(first.socketFolder, 'select 1').then(
        () => true,
        () => false,
      );
    await expect.poll(answers, { timeout: 30_000 }).toBe(true);
    const second = readPostmaster();
    expect(second).not.toBe(victim);
    expect(await first.stop()).toBe(0);
    expect(isAlive(second)).toBe(false);
    expect(() => statSync(join(data, 'cluster/postmaster.pid'))).toThrow('ENOENT');
  });
});

describe.runIf(isRoot && isLinux)('an ordinary user', () => {
  const NOBODY = ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups', '--'];

  it('starts it, survives a kill -9 of it, and stops it', async () => {
    makeFolder();
    chownSync(folder.path, 65_534, 65_534);
    const data = join(folder.path, 'data');
    const first = await startSupervisor(data, NOBODY);
    expect(statSync(`/proc/${first.postgresId}`).uid).toBe(65_534);
    await first.kill();
    await untilGone(first.postgresId);
    const second = await startSupervisor(data, NOBODY);
    expect(await query(second.socketFolder, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(await second.stop()).toBe(0);
  });

  it('is told which Postgres of another account is in the way', async () => {
    const data = copyModel();
    execFileSync('chown', ['-R', '65534:65534', data]);
    const cluster = join(data, 'cluster');
    const orphan = spawn('/bin/sh', ['-c', 'sleep 60; :', cluster], { argv0: 'postgres', uid: 1, gid: 1 });
    onTestFinished(() => void orphan.kill('SIGKILL'));
    writeFileSync(join(cluster, 'postmaster.pid'), `${orphan.pid}\n${cluster}\n`);
    chownSync(join(cluster, 'postmaster.pid'), 65_534, 65_534);
    await expect(startSupervisor(data, NOBODY)).rejects.toThrow(
      `Um Postgres anterior (processo ${orphan.pid}) ainda usa a pasta de dados e pertence a outro usuário: encerre-o com "kill ${orphan.pid}".`,
    );
    expect(isAlive(orphan.pid ?? 0)).toBe(true);
  });

  it('is told in one line that a cluster belongs to somebody else', async () => {
    const data = copyModel();
    rmSync(join(data, 'server.lock'), { force: true });
    chownSync(data, 65_534, 65_534);
    await expect(startSupervisor(data, NOBODY)).rejects.toThrow(
      /^A pasta .* pertence a outro usuário \(uid \d+\)/,
    );
  });
});
