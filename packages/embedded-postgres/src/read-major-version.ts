import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PostgresStartError } from './describe-folder-failure.ts';

/** What every cluster has, whatever it has lost. */
const PARTS_OF_A_CLUSTER = ['base', 'global', 'pg_wal', 'pg_xact'];

/** 15, 16, …: of the binaries. */
export function readMajorVersion(binaries: string): number {
  const { stdout } = spawnSync(join(binaries, 'bin', 'postgres'), ['--version'], { encoding: 'utf8' });
  return Number.parseInt(/\d+/.exec(stdout ?? '')?.[0] ?? '18', 10);
}

/**
 * 15, 16, …: of a cluster; undefined where there is none yet.
 * @throws PostgresStartError when the folder has something that is no whole cluster, which is never to be touched.
 */
export function readClusterVersion(clusterFolder: string): number | undefined {
  const content = readIfThere(() => readFileSync(join(clusterFolder, 'PG_VERSION'), 'utf8'));
  if (content !== undefined) return parseVersion(clusterFolder, content);
  const names = readIfThere(() => readdirSync(clusterFolder)) ?? [];
  if (names.length === 0) return undefined;
  throw new PostgresStartError(
    PARTS_OF_A_CLUSTER.some((part) => names.includes(part))
      ? `Ao banco de dados em ${clusterFolder} falta o arquivo PG_VERSION: não apague nada; devolva o arquivo, ou restaure o backup.`
      : `A pasta ${clusterFolder} tem arquivos que não são de um banco de dados (${names[0]}): mova-os para outro lugar, ou escolha outra pasta com DATA_DIR.`,
  );
}

function parseVersion(clusterFolder: string, content: string): number {
  const version = Number.parseInt(content, 10);
  if (version > 0) return version;
  throw new PostgresStartError(
    `O arquivo PG_VERSION do banco de dados em ${clusterFolder} está danificado: não apague nada; restaure o backup.`,
  );
}

function readIfThere<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
