import type pg from 'pg';
import { BackupError } from './backup-error.ts';

/**
 * The key of the advisory lock that a backup holds alone while it copies files. Whoever wants to remove a file's bytes asks for it
 * together with others (`pg_try_advisory_xact_lock_shared`): where that fails they leave the bytes to the daily sweep.
 */
export const FILES_STAY_LOCK = `hashtextextended('linkoteca: files stay', 0)`;

const TURN_LOCK = `hashtextextended('linkoteca: backup', 0)`;

/**
 * Takes the turn to make a backup, and from then on no file loses its bytes. Both end with the connection.
 * It has to come before the snapshot: a file that the snapshot names was not yet deleted when the lock was taken.
 * @throws BackupError while another backup is being made.
 */
export async function holdFiles(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ ours: boolean }>(`select pg_try_advisory_lock(${TURN_LOCK}) as ours`);
  if (rows[0]?.ours !== true)
    throw new BackupError('Outro backup deste banco está sendo feito: espere por ele.');
  await client.query(`select pg_advisory_lock(${FILES_STAY_LOCK})`);
}
