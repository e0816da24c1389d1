import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { MigrationError } from './migration-error.ts';

export type Migration = {
  /** As in `0001_roles.sql`: `0001`. */
  readonly version: string;
  readonly name: string;
  readonly fileName: string;
  readonly text: string;
  /** Hex SHA-256 of the text, whatever line ends the checkout gave it. */
  readonly checksum: string;
};

/** The hosted platform's own pattern. */
const FILE_NAME = /^([0-9]+)_(.*)\.sql$/;

/**
 * The migrations of a folder in the order in which they apply.
 * @throws MigrationError when two share a version, or a file's name does not say its place.
 */
export function listMigrations(folder: string): readonly Migration[] {
  const migrations = readdirSync(folder)
    .filter((fileName) => fileName.endsWith('.sql'))
    .sort()
    .map((fileName) => readMigration(folder, fileName));
  const versions = new Map<string, string>();
  for (const { version, fileName } of migrations) {
    const other = versions.get(version);
    if (other !== undefined)
      throw new MigrationError(`As migrações ${other} e ${fileName} têm o mesmo número: renomeie uma delas.`);
    versions.set(version, fileName);
  }
  return migrations;
}

function readMigration(folder: string, fileName: string): Migration {
  const [, version, name] = FILE_NAME.exec(fileName) ?? [];
  if (version === undefined || name === undefined)
    throw new MigrationError(
      `O arquivo ${join(basename(folder), fileName)} não tem nome de migração: use NÚMERO_nome.sql.`,
    );
  const text = readFileSync(join(folder, fileName), 'utf8').replaceAll('\r\n', '\n');
  return { version, name, fileName, text, checksum: createHash('sha256').update(text).digest('hex') };
}
