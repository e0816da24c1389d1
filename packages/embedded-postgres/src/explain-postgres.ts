import { describeFolderFailure, PostgresStartError } from './describe-folder-failure.ts';

/** What Postgres says of a cluster that has lost files or been altered. */
const DAMAGE =
  /could not find the database system|could not (?:open|read|stat) (?:file|directory) "(?!postmaster|.*socket)|could not locate (?:a valid|required) checkpoint|incorrect checksum|invalid checkpoint|control file|could not access status of transaction|contains no valid|required WAL|WAL ends before|requested timeline/i;

/**
 * Why the database did not start, as one line in Portuguese that says what to do.
 * @param cause an error whose message is the end of Postgres's log.
 */
export function explainPostgres(dataFolder: string, cause: unknown): PostgresStartError {
  if (cause instanceof PostgresStartError) return cause;
  const text = cause instanceof Error ? cause.message : String(cause);
  const lines = text.split('\n');
  const reason = (
    lines.find((line) => /FATAL|PANIC/.test(line)) ??
    lines.find((line) => /error/i.test(line)) ??
    lines.at(-1) ??
    ''
  ).replace(/^(FATAL|PANIC):\s*/, '');
  const line =
    describeFolderFailure(dataFolder, text) ??
    (DAMAGE.test(reason)
      ? `O banco de dados em ${dataFolder} está danificado (${reason}): não apague nada; guarde uma cópia da pasta e restaure o backup.`
      : `O banco de dados não iniciou: ${describeVersions(text) ?? reason}`);
  return new PostgresStartError(line, { cause });
}

function describeVersions(text: string): string | undefined {
  const [, own, programs] =
    /initialized by PostgreSQL version (\d+).*not compatible with this version (\d+)/.exec(text) ?? [];
  if (own === undefined || programs === undefined) return undefined;
  return Number(own) > Number(programs)
    ? `os dados são do Postgres ${own}, e este programa traz o ${programs}; use uma versão mais nova da Linkoteca.`
    : `os dados são do Postgres ${own}, e este programa traz o ${programs}; rode "npm run upgrade-postgres" para mudá-los de versão.`;
}
