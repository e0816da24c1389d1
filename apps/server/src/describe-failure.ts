import { BackupError } from '@linkoteca/backup/backup-error';
import {
  describeFolderFailure,
  PostgresStartError,
} from '@linkoteca/embedded-postgres/describe-folder-failure';
import { MigrationError } from '@linkoteca/migrations/migration-error';
import { DatabaseError } from 'pg';
import { SecretsError } from './kernel/load-secrets.ts';
import { SettingsError } from './kernel/parse-settings.ts';
import type { Settings } from './kernel/settings.ts';
import { FunctionsConfigError } from './services/functions/catalogue/open-catalogue.ts';

/** These say what to do by themselves. */
const SELF_EXPLAINING = [
  BackupError,
  PostgresStartError,
  MigrationError,
  SecretsError,
  SettingsError,
  FunctionsConfigError,
];

/** Whatever else a system call is about is a file. */
const NETWORK_CALLS = new Set(['connect', 'getaddrinfo', 'listen', 'bind']);

type Known = Partial<Pick<Settings, 'port' | 'host' | 'databaseUrl' | 'dataFolder'>>;

/** What keeps the server or a command from working, as one line in Portuguese that says what to do. */
export function describeFailure(error: unknown, settings: Known = {}): string {
  if (!(error instanceof Error)) return `Falha inesperada: ${String(error)}`;
  if (SELF_EXPLAINING.some((kind) => error instanceof kind)) return error.message;
  return (
    describeListening(error, settings) ??
    describeFiles(error, settings) ??
    (settings.databaseUrl === undefined ? undefined : describeConnecting(error, settings.databaseUrl)) ??
    `Falha inesperada: ${error.message || ((error as NodeJS.ErrnoException).code ?? '')}`
  );
}

function describeListening(error: NodeJS.ErrnoException, { port = 0, host = '' }: Known): string | undefined {
  const { code, syscall, hostname } = error as NodeJS.ErrnoException & { readonly hostname?: string };
  if (syscall === 'getaddrinfo' && hostname === host)
    return `O nome de HOST (${host}) não é conhecido: use um endereço deste computador, localhost ou 0.0.0.0.`;
  if (syscall !== 'listen') return undefined;
  if (code === 'EADDRINUSE')
    return `A porta ${port} já está em uso: encerre o programa que a usa, ou escolha outra (PORT=${port + 1} npm start).`;
  if (code === 'EACCES')
    return `Sem permissão para usar a porta ${port}: escolha uma acima de 1023 com PORT.`;
  if (code === 'EADDRNOTAVAIL')
    return `HOST (${host}) não é um endereço deste computador: use um dele, localhost ou 0.0.0.0.`;
  return `Não foi possível escutar em ${host}:${port} (${error.message}): confira HOST e PORT.`;
}

/** A full disk is no fault of the database's address, wherever the database is. */
function describeFiles(error: NodeJS.ErrnoException, { dataFolder }: Known): string | undefined {
  const { syscall, path = dataFolder } = error;
  // The path of a connection is a socket's.
  if (syscall === undefined || path === undefined || NETWORK_CALLS.has(syscall)) return undefined;
  return describeFolderFailure(path, error);
}

type Advice = readonly [cause: RegExp, advice: string];

/** By SQLSTATE and Postgres' own words (appendix A of its manual). `{banco}` stands for host and database. */
const ANSWERS: readonly Advice[] = [
  [
    /^28000 no pg_hba\.conf entry .*no encryption/,
    'O banco de dados {banco} só aceita conexões cifradas: acrescente ?sslmode=require a DATABASE_URL.',
  ],
  [
    /^28000 no pg_hba\.conf entry/,
    'O banco de dados {banco} não aceita este usuário deste computador: acrescente uma linha ao pg_hba.conf dele.',
  ],
  [/^28/, 'O banco de dados {banco} recusou o usuário ou a senha de DATABASE_URL.'],
  [/^3D000/, 'O banco de dados {banco} não existe: crie-o, ou corrija DATABASE_URL.'],
  [/^53100/, 'O disco do banco de dados {banco} está cheio: libere espaço nele e inicie de novo.'],
  [
    /^53300/,
    'O banco de dados {banco} não aceita mais conexões: aumente max_connections nele, ou diminua POOL_SIZE ou o número de cópias.',
  ],
  [/^57P0/, 'O banco de dados {banco} está iniciando ou parando: inicie de novo em instantes.'],
  [
    /^42501/,
    'O usuário de DATABASE_URL não pode o que a Linkoteca precisa em {banco} (ser dono do banco e criar papéis): mude o dono, ou use outro usuário.',
  ],
];

/** By the driver's code and words, where nobody answered as Postgres. */
const FAILURES: readonly Advice[] = [
  [
    /password must be a (?:non-empty )?string/,
    'O banco de dados {banco} pede uma senha: ponha-a em DATABASE_URL (postgres://usuário:senha@…).',
  ],
  [
    /does not support SSL/,
    'O banco de dados {banco} não fala TLS: tire sslmode de DATABASE_URL, ou ligue o TLS nele.',
  ],
  [
    /SELF_SIGNED_CERT|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/,
    'O certificado do banco de dados {banco} não é de uma autoridade conhecida: nomeie a dele com sslrootcert=ARQUIVO em DATABASE_URL.',
  ],
  [
    /CERT_HAS_EXPIRED|CERT_NOT_YET_VALID/,
    'O certificado do banco de dados {banco} está fora da validade: renove-o, ou acerte o relógio.',
  ],
  [
    /ALTNAME_INVALID/,
    'O certificado do banco de dados {banco} é de outro nome: use em DATABASE_URL o nome que está nele.',
  ],
  [
    /ENOTFOUND|EAI_AGAIN/,
    'O servidor do banco de dados {banco} não foi encontrado pelo nome: corrija DATABASE_URL, ou confira o DNS.',
  ],
  [
    /ECONNREFUSED|ENOENT/,
    'Não foi possível usar o banco de dados {banco} ({motivo}): ninguém atende ali; confira DATABASE_URL e se o servidor está no ar.',
  ],
  [
    /ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|timeout expired|timeout exceeded/,
    'O banco de dados {banco} não responde ({motivo}): confira DATABASE_URL, a rede e o firewall.',
  ],
];

const UNKNOWN =
  'Não foi possível usar o banco de dados {banco} ({motivo}): confira DATABASE_URL e se o servidor está no ar.';

/** Why the external database cannot be used, as one line in Portuguese that says what to do, without its password. */
function describeConnecting(error: Error, databaseUrl: string): string {
  const place = URL.parse(databaseUrl);
  const name = place?.host ? `${place.host}${place.pathname}` : 'de DATABASE_URL';
  // A name with several addresses fails with several errors at once, and an empty message.
  const { code = '' } = error as NodeJS.ErrnoException;
  const reason = error.message || code || 'sem resposta';
  const advices = error instanceof DatabaseError ? ANSWERS : FAILURES;
  const [, advice] = advices.find(([cause]) => cause.test(`${code} ${error.message}`)) ?? [
    undefined,
    UNKNOWN,
  ];
  return advice.replace('{banco}', name).replace('{motivo}', reason);
}
