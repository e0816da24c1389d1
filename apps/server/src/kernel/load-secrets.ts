import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describeFolderFailure } from '@linkoteca/embedded-postgres/describe-folder-failure';
import { makeFolder } from '@linkoteca/embedded-postgres/folders';
import type { Settings } from './settings.ts';

/** What an installation makes for itself on its first start. */
export type Secrets = {
  /** The first signs, all verify. Several only where a backup was restored that was made while secrets were rotated. */
  readonly jwtSecrets: readonly string[];
};

/** The secrets cannot be kept or read. `message` is one line in Portuguese that says what to do. */
export class SecretsError extends Error {
  override readonly name = 'SecretsError';
}

/**
 * Reads `secrets.json` of the data folder, making it on the first start. Two processes that start at once end up with
 * the same secrets: the file appears with its content, and only one can make it appear.
 * @throws SecretsError
 */
export function loadSecrets(dataFolder: string): Secrets {
  const path = join(dataFolder, 'secrets.json');
  return readSecrets(path) ?? createSecrets(dataFolder, path);
}

/**
 * The server's own, for a command: those it made up would open nothing, and later commands would take them for the server's.
 * Only where the embedded database is not there yet are they made.
 * @throws SecretsError
 */
export function loadServerSecrets({
  jwtSecrets,
  dataFolder,
  databaseUrl,
}: Pick<Settings, 'jwtSecrets' | 'dataFolder' | 'databaseUrl'>): readonly string[] {
  if (jwtSecrets.length > 0) return jwtSecrets;
  const found = readSecrets(join(dataFolder, 'secrets.json'));
  if (found) return found.jwtSecrets;
  if (databaseUrl === undefined && !existsSync(join(dataFolder, 'postgres/cluster/PG_VERSION')))
    return loadSecrets(dataFolder).jwtSecrets;
  const orStart = databaseUrl === undefined ? '' : ' Se o banco é novo, inicie o servidor uma vez antes.';
  throw new SecretsError(
    `Em ${dataFolder} não há secrets.json: dê ao comando o JWT_SECRET do servidor, ou o DATA_DIR dele.${orStart}`,
  );
}

function readSecrets(path: string): Secrets | undefined {
  let content: string;
  try {
    // Restored from a backup it may have become readable for others.
    if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
    content = readFileSync(path, 'utf8');
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new SecretsError(
      ['EACCES', 'EPERM'].includes(code)
        ? `Sem permissão para ler ${path}: inicie com o dono do arquivo.`
        : (describeFolderFailure(dirname(path), cause) ?? `Não foi possível ler ${path} (${code}).`),
      { cause },
    );
  }
  const { jwtSecret, earlierJwtSecrets = [] } = parse(content) ?? {};
  const jwtSecrets = [jwtSecret, ...(Array.isArray(earlierJwtSecrets) ? earlierJwtSecrets : [undefined])];
  if (!jwtSecrets.every((secret) => typeof secret === 'string' && secret.length >= 32))
    throw new SecretsError(
      `O arquivo ${path} está danificado: restaure-o de um backup, ou apague-o (todas as sessões terminam).`,
    );
  return { jwtSecrets };
}

function parse(content: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(content) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function createSecrets(dataFolder: string, path: string): Secrets {
  const jwtSecret = randomBytes(48).toString('base64url');
  const draft = `${path}.${process.pid}`;
  try {
    makeFolder(dataFolder);
    writeFileSync(draft, `${JSON.stringify({ jwtSecret }, null, 2)}\n`, { mode: 0o600, flush: true });
    linkSync(draft, path);
    return { jwtSecrets: [jwtSecret] };
  } catch (cause) {
    const made = (cause as NodeJS.ErrnoException).code === 'EEXIST' ? readSecrets(path) : undefined;
    if (made) return made;
    throw new SecretsError(
      describeFolderFailure(dataFolder, cause) ??
        `Não foi possível guardar ${path} (${String(cause)}): escolha outra pasta com DATA_DIR.`,
      { cause },
    );
  } finally {
    rmSync(draft, { force: true });
  }
}
