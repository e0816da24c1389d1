import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createTransport } from 'nodemailer';

export type Mail = {
  /** One address. It is never parsed as a list, so a comma in it cannot add a second recipient. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Besides the usual ones. */
  readonly headers?: Readonly<Record<string, string>>;
};

export type Mailer = {
  /** Resolves when the mail was handed over. Nothing is retried. @throws MailError when it was not, or when nobody can know. */
  send(mail: Mail): Promise<void>;
};

export type MailerOptions = {
  /** `smtp://` or `smtps://`, with user and password if the server wants them. Without it mails become files. */
  readonly smtpUrl?: string | undefined;
  /** `Linkoteca <nao-responda@example.com>` */
  readonly from: string;
  /** Where mails are written, one `.eml` each, when there is no SMTP server. Created when missing. */
  readonly mailFolder: string;
  /** How long a mail server may say nothing before it is given up. */
  readonly silenceMs?: number;
};

/** A person waits for the answer of the request that sends: a dead server must be told apart quickly. */
const CONNECT_TIMEOUT_MS = 8_000;
const SILENCE_TIMEOUT_MS = 15_000;

/** Chooses how mails leave: over SMTP when an address is given, else as files that `/dev/mail` shows. */
export function createMailer({ smtpUrl, from, mailFolder, silenceMs }: MailerOptions): Mailer {
  return smtpUrl === undefined
    ? createFolderMailer(from, mailFolder)
    : createSmtpMailer(from, smtpUrl, silenceMs ?? SILENCE_TIMEOUT_MS);
}

function createSmtpMailer(from: string, url: string, silenceMs: number): Mailer {
  return {
    async send(mail) {
      let begun = false;
      async function* handOver(message: Readable) {
        // Read only after the server's 354: from here on it may have the mail, whatever becomes of the connection.
        begun = true;
        yield* message;
      }
      const transport = createTransport({
        url,
        connectionTimeout: CONNECT_TIMEOUT_MS,
        greetingTimeout: CONNECT_TIMEOUT_MS,
        socketTimeout: silenceMs,
        ...SAFE_CONTENT,
      });
      transport.use('stream', ({ message }, done) => {
        message?.processFunc((input) => Readable.from(handOver(input), { objectMode: false }));
        done();
      });
      await transport.sendMail(toMessage(mail, from)).catch((error: unknown) => {
        throw new MailError(error, begun);
      });
    },
  };
}

function createFolderMailer(from: string, mailFolder: string): Mailer {
  const transport = createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
    ...SAFE_CONTENT,
  });
  return {
    async send(mail) {
      const { message } = await transport.sendMail(toMessage(mail, from));
      if (!Buffer.isBuffer(message)) throw new Error('the mail was not rendered into a buffer');
      await writeMailFile(mailFolder, message);
    },
  };
}

/** A template never attaches by path or address: were one to hold such text, nothing is read or fetched. */
const SAFE_CONTENT = { disableFileAccess: true, disableUrlAccess: true } as const;

function toMessage({ to, subject, text, html, headers }: Mail, from: string) {
  return { from, to: { name: '', address: to }, subject, text, html, headers: { ...headers } };
}

/** Mails that this process has written. */
let written = 0;

/** Names sort by time. Mails hold sign-in links: only the server's own user may read them. */
async function writeMailFile(folder: string, message: Buffer): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Two of one millisecond stand in their order, too.
  written += 1;
  const order = `${new Date().toISOString().replaceAll(':', '-')}-${String(written).padStart(9, '0')}`;
  const name = `${order}-${randomUUID()}`;
  const draft = join(folder, `.${name}.part`);
  await writeFile(draft, message, { mode: 0o600 });
  // A reader of the folder sees a whole mail or none.
  await rename(draft, join(folder, `${name}.eml`));
}

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
    this.failure = classifyFailure(cause, begun);
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

function classifyFailure(error: unknown, begun: boolean): MailFailure {
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

/** Makes the mailer when the first mail leaves: loading its library would take a tenth of every start. */
export function postponeMailer(make: () => Promise<Mailer>): Mailer {
  let made: Promise<Mailer> | undefined;
  return {
    async send(mail) {
      made ??= make();
      await (await made).send(mail);
    },
  };
}
