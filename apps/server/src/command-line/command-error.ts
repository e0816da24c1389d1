/** What the person got wrong, or the server refused: one line in Portuguese. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  /** With which the server refused it. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}
