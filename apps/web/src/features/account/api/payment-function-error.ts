/** A payment function refused or failed. `message` is the service layer's own (section 8), for the log. */
export class PaymentFunctionError extends Error {
  override name = 'PaymentFunctionError';
  /** The server's sentence for people, when it sent one. */
  readonly sentence: string | null;

  constructor(message: string, sentence: string | null = null) {
    super(message);
    this.sentence = sentence;
  }
}

/** The function answered, but without the address to go to. */
export class MissingAddress extends PaymentFunctionError {
  override name = 'MissingAddress';
}
