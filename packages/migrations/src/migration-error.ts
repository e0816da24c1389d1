/** Why the database could not be brought up to date. `message` is one line in Portuguese that names the file. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}
