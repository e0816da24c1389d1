/** The code of a page did not arrive. */
export class MissingCodeError extends Error {
  override readonly name = 'MissingCodeError';

  constructor(cause: unknown) {
    super('the code of a page could not be loaded', { cause });
  }
}
