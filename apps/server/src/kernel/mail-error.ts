/**
 * Why a mail did not go out. `refused`: this address, or this mail, for good. `deferred`: the server asks to come back later.
 * `unreachable`: nothing goes out at the moment (no connection, no login, sender not taken). `unknown`: the text was on its
 * way when the connection broke, so it may have arrived.
 */
export type MailFailure = 'refused' | 'deferred' | 'unreachable' | 'unknown';

/** A mail that was not handed over, as far as anybody knows. `cause` is the transport's own error. */
export class MailError extends Error {
  readonly failure: MailFailure;

  /** @param begun whether the mail server had begun to take the mail's text. */
  constructor(cause: unknown, begun: boolean) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'MailError';
    this.failure = judge(cause, begun);
  }
}

/** The parts of nodemailer's errors that say how far a mail came. */
type TransportError = {
  readonly code?: unknown;
  readonly command?: unknown;
  readonly responseCode?: unknown;
};

/** RFC 5321, section 3.8: the server closes. It says so at any point. */
const SERVICE_CLOSES = 421;

function judge(error: unknown, begun: boolean): MailFailure {
  const { code, command, responseCode }: TransportError = typeof error === 'object' && error ? error : {};
  if (typeof responseCode === 'number') {
    const isAboutThisMail = command === 'RCPT TO' || command === 'DATA';
    if (!isAboutThisMail || responseCode === SERVICE_CLOSES) return 'unreachable';
    return responseCode >= 500 ? 'refused' : 'deferred';
  }
  if (begun) return 'unknown';
  // Without an answer of the server: the address cannot even be asked about.
  return code === 'EENVELOPE' || code === 'EMESSAGE' ? 'refused' : 'unreachable';
}
