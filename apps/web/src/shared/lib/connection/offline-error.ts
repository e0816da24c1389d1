/** A write that was not even tried, because the services cannot be reached. */
export class OfflineError extends Error {
  override readonly name = 'OfflineError';

  constructor() {
    super('the services cannot be reached');
  }
}
