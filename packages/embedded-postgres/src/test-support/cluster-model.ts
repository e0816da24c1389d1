import { execFileSync } from 'node:child_process';
import { cpSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres, toConnection } from '../start-embedded-postgres.ts';
import { createTemporaryFolder } from './create-temporary-folder.ts';

export type ClusterModel = {
  /** Puts a copy of the cluster into a data folder. */
  copyTo(dataFolder: string): void;
  remove(): void;
};

/** One finished cluster for all tests of a file, with what `contents` makes in it: each works on a copy. */
export async function createClusterModel({
  contents = 'create table kept (id int primary key)',
  binaries,
}: {
  readonly contents?: string;
  readonly binaries?: string;
} = {}): Promise<ClusterModel> {
  const { path, remove } = createTemporaryFolder();
  const postgres = await startEmbeddedPostgres({
    dataFolder: path,
    durable: false,
    ...(binaries === undefined ? {} : { binaries }),
  });
  await query(postgres.socketFolder, contents);
  await postgres.stop();
  const model = join(path, 'cluster');
  const { uid, gid } = statSync(model);
  return {
    copyTo(dataFolder) {
      const cluster = join(dataFolder, 'cluster');
      cpSync(model, cluster, { recursive: true });
      execFileSync('chown', ['-R', `${uid}:${gid}`, cluster]);
      execFileSync('chmod', ['700', cluster]);
    },
    remove,
  };
}

/** One statement, as the superuser of the Postgres that listens there. */
export async function query(socketFolder: string, text: string): Promise<unknown[]> {
  const client = new pg.Client(toConnection(socketFolder));
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}
