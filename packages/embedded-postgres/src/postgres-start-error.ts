/** Why the embedded database cannot run. `message` is one line in Portuguese that says what to do. */
export class PostgresStartError extends Error {
  override readonly name = 'PostgresStartError';
}
