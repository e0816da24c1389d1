/**
 * A payment function refused or failed. Its message is the service layer's own (specification, section 8: the server's text, else
 * an English one) and goes to the log; `sentence` is what people may read.
 */
export class PaymentFunctionError extends Error {
  override name = 'PaymentFunctionError';
  /** The server's sentence for people, when it sent one. */
  readonly sentence: string | null;

  constructor(message: string, sentence: string | null = null) {
    super(sentence ?? message);
    this.sentence = sentence;
  }
}

/** The function answered, but without the address to go to. */
export class MissingAddressError extends PaymentFunctionError {
  override name = 'MissingAddressError';
}

/** An answer that is not as agreed. */
export function wrongFormat(): PaymentFunctionError {
  return new PaymentFunctionError('Invalid server response format');
}
