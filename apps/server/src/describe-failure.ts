import { BackupError } from '@linkoteca/backup/backup-error';
import { PostgresStartError } from '@linkoteca/embedded-postgres/postgres-start-error';
import { MigrationError } from '@linkoteca/migrations/migration-error';
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

/** What keeps the server or a command from working, as one line in Portuguese that says what to do. */
export function describeFailure(
  error: unknown,
  settings?: Pick<Settings, 'port' | 'host' | 'databaseUrl'>,
): string {
  if (!(error instanceof Error)) return `Falha inesperada: ${String(error)}`;
  if (SELF_EXPLAINING.some((kind) => error instanceof kind)) return error.message;
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  if (syscall === 'listen') return describeListening(code, error, settings);
  if (settings?.databaseUrl !== undefined) return describeConnecting(code, error, settings.databaseUrl);
  return `Falha inesperada: ${error.message || code}`;
}

function describeListening(code: string, error: Error, settings?: Pick<Settings, 'port' | 'host'>): string {
  const { port = 0, host = '' } = settings ?? {};
  if (code === 'EADDRINUSE')
    return `A porta ${port} já está em uso: encerre o programa que a usa, ou escolha outra (PORT=${port + 1} npm start).`;
  if (code === 'EACCES')
    return `Sem permissão para usar a porta ${port}: escolha uma acima de 1023 com PORT.`;
  return `Não foi possível escutar em ${host}:${port} (${error.message}): confira HOST e PORT.`;
}

/** SQLSTATE class 28: wrong password or no right to enter; 3D000: no such database. */
function describeConnecting(code: string, error: Error, databaseUrl: string): string {
  const place = URL.parse(databaseUrl);
  const name = place?.host ? `${place.host}${place.pathname}` : 'DATABASE_URL';
  if (code.startsWith('28')) return `O banco de dados ${name} recusou o usuário ou a senha de DATABASE_URL.`;
  if (code === '3D000') return `O banco de dados ${name} não existe: crie-o, ou corrija DATABASE_URL.`;
  // A name with several addresses fails with several errors at once, and an empty message.
  const reason = error.message || code || 'sem resposta';
  return `Não foi possível usar o banco de dados ${name} (${reason}): confira DATABASE_URL e se o servidor está no ar.`;
}
