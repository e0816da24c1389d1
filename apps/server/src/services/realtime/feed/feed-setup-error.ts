/** The database is not set up for a change feed; waiting does not help, an operator does. */
export class FeedSetupError extends Error {
  override readonly name = 'FeedSetupError';
  readonly lack: 'wal_level' | 'publication';

  constructor(lack: FeedSetupError['lack'], message: string) {
    super(message);
    this.lack = lack;
  }
}
