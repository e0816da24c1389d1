import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import pg from 'pg';
import { MigrationError } from './migration-error.ts';
import { withAuthenticator } from './with-authenticator.ts';

/** RFC 7677's least; the password behind it is a random key already. */
const ITERATIONS = 4096;

/**
 * Lets the server's own pool log in as `authenticator`. Roles are shared by all databases of a cluster, so the password
 * is written only when the right one does not work yet. Only its SCRAM verifier travels, as the statement may be logged.
 */
export async function setAuthenticatorPassword(
  client: pg.Client,
  connect: pg.ClientConfig,
  password: string,
): Promise<void> {
  if (await canLogIn(connect, password)) return;
  try {
    await client.query(`alter role authenticator password ${client.escapeLiteral(deriveVerifier(password))}`);
  } catch (cause) {
    throw new MigrationError(
      `Não foi possível definir a senha do papel authenticator: ${cause instanceof Error ? cause.message : String(cause)}. ` +
        'Use em DATABASE_URL um usuário que possa criar papéis (createrole).',
      { cause },
    );
  }
}

async function canLogIn(connect: pg.ClientConfig, password: string): Promise<boolean> {
  const probe = new pg.Client(withAuthenticator(connect, password));
  probe.on('error', () => undefined);
  try {
    await probe.connect();
    return true;
  } catch {
    return false;
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
