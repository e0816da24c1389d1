import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import pg from 'pg';
import { MigrationError } from './migration-error.ts';
import { withAuthenticator } from './with-authenticator.ts';

/** RFC 7677's least; the password behind it is a random key already. */
const ITERATIONS = 4096;
const WRONG_PASSWORD = '28P01';

export type AuthenticatorPasswordOptions = {
  readonly connect: pg.ClientConfig;
  readonly password: string;
  /** For a command: the servers of this database go on, too. */
  readonly joinRunning: boolean;
};

/** Servers that another password would lock out. Those of this database are copies whose keys are being rotated. */
const SERVING = `
  select datname as database, pid from pg_stat_activity
  where usename = 'authenticator' and application_name = 'linkoteca' and ($1 or datname <> current_database())
  order by pid limit 1
`;

/**
 * To be called before anything is changed as well. Where the role is not there yet, nobody is served with it.
 * @returns whether the password is to be written.
 * @throws MigrationError where servers that run would lose their login by it.
 */
export async function refuseOtherSecret(
  client: pg.Client,
  { connect, password, joinRunning }: AuthenticatorPasswordOptions,
): Promise<boolean> {
  const failure = await tryLogin(connect, password);
  if (failure === undefined) return false;
  const { rows } = await client.query<{ database: string; pid: number }>(SERVING, [joinRunning]);
  const [serving] = rows;
  if (serving === undefined) return true;
  // Anything else, such as too many connections, does not say that the password is another.
  if (failure.code !== WRONG_PASSWORD) return false;
  throw new MigrationError(
    `O servidor do banco ${serving.database} (pid ${serving.pid}) usa outro segredo e ficaria sem acesso: ` +
      'use o JWT_SECRET dele (ou o DATA_DIR), ou outro servidor Postgres para outra instalação.',
  );
}

/**
 * Lets the server's own pool log in as `authenticator`. Roles are shared by all databases of a cluster, so the password
 * is written only when the right one does not work yet. Only its SCRAM verifier travels, as the statement may be logged.
 */
export async function setAuthenticatorPassword(
  client: pg.Client,
  options: AuthenticatorPasswordOptions,
): Promise<void> {
  if (!(await refuseOtherSecret(client, options))) return;
  const verifier = deriveVerifier(options.password);
  try {
    await client.query(`alter role authenticator password ${client.escapeLiteral(verifier)}`);
  } catch (cause) {
    throw new MigrationError(
      `Não foi possível definir a senha do papel authenticator: ${cause instanceof Error ? cause.message : String(cause)}. ` +
        'Use em DATABASE_URL um usuário que possa criar papéis (createrole).',
      { cause },
    );
  }
}

/** @returns why it is not possible. */
async function tryLogin(
  connect: pg.ClientConfig,
  password: string,
): Promise<Pick<pg.DatabaseError, 'code'> | undefined> {
  const probe = new pg.Client(withAuthenticator(connect, password));
  probe.on('error', () => undefined);
  try {
    await probe.connect();
    return undefined;
  } catch (error) {
    return error as pg.DatabaseError;
  } finally {
    await probe.end().catch(() => undefined);
  }
}

/** RFC 5803, as Postgres stores it. */
function deriveVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  const clientKey = createHmac('sha256', salted).update('Client Key').digest();
  const storedKey = createHash('sha256').update(clientKey).digest('base64');
  const serverKey = createHmac('sha256', salted).update('Server Key').digest('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}
