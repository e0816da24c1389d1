import { BackupError } from '@linkoteca/backup/backup-error';
import { compareRights } from '@linkoteca/migrations/compare-rights';
import pg from 'pg';

/**
 * The last look at a restored database: nobody may do in it what they may not in a new one.
 * @throws BackupError naming the first difference.
 */
export async function checkRights(connect: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connect);
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { missing, extra } = await compareRights(client);
    const first = extra[0] ?? missing[0];
    if (first !== undefined)
      throw new BackupError(
        `Os direitos no banco restaurado não são os de uma instalação nova (${extra[0] === undefined ? 'falta' : 'sobra'}: ${first}). Nada foi trocado.`,
      );
  } finally {
    await client.end();
  }
}
