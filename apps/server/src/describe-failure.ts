import { BackupError } from '@linkoteca/backup/backup-error';
import { describeFolderFailure } from '@linkoteca/embedded-postgres/describe-folder-failure';
import { PostgresStartError } from '@linkoteca/embedded-postgres/postgres-start-error';
import { MigrationError } from '@linkoteca/migrations/migration-error';
import { describeConnecting } from './describe-connecting.ts';
import { SecretsError } from './kernel/load-secrets.ts';
import { SettingsError } from './kernel/parse-settings.ts';
import type { Settings } from './kernel/settings.ts';
import { FunctionsConfigError } from './services/functions/catalogue/functions-config-error.ts';

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
