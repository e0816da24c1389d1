/** Why a file cannot be imported. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
  readonly reason: 'too_large' | 'unknown_format' | 'no_address_column' | 'nothing_found';

  constructor(reason: UnreadableFile['reason'], options?: ErrorOptions) {
    super(reason, options);
    this.reason = reason;
  }
}
