/** Why a backup could not be made, read or restored. `message` is one line in Portuguese that says what to do. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
