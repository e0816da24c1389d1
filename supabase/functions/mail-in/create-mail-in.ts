import {
  type MailIn,
  type MailInProvider,
  parseMailInUrl,
} from '../../../packages/domain/src/mail-in-url.ts';
import { cleanLine, truncateCharacters } from '../../../packages/domain/src/text.ts';
import { answerJson, refuse } from '../_shared/answer-json.ts';
import { callDatabase, type DatabaseAccess, InstallationUnreachable } from '../_shared/call-database.ts';
import { digest } from '../_shared/digest.ts';
import { findMailLinks } from './find-mail-links.ts';
import { type IncomingMail, valuesOf } from './incoming-mail.ts';
import type { ReceiveMail } from './receive-mail.ts';
import { receiveMailgun } from './receive-mailgun.ts';
import { receivePostmark } from './receive-postmark.ts';
import { receiveSendgrid } from './receive-sendgrid.ts';

export type MailInDeps = {
  /** The setting MAIL_IN_URL; empty where the installation receives no mail. */
  readonly mailInUrl: string;
  readonly access: DatabaseAccess;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** What became of a message, without a word of whose it was. */
  readonly report: (report: { readonly outcomes: readonly string[] }) => void;
  /** Why a message will have to be sent again. */
  readonly warn: (reason: string) => void;
};

/** As much as our own server hands to a function. */
const MAX_BYTES = 10_485_760;
const MOST_RECIPIENTS = 10;
const MOST_ADDRESS = 254;
const MOST_SUBJECT = 100;

const PROVIDERS: Readonly<Record<MailInProvider, ReceiveMail>> = {
  postmark: receivePostmark,
  mailgun: receiveMailgun,
  sendgrid: receiveSendgrid,
};

/**
 * The function `mail-in`: the hook of the mail provider, once a message. Answers `{"outcomes":[…]}`, one a recipient: 200 also for what is
 * refused for good, since providers send again whatever else they hear; 401 to whoever is not the provider; 503 when it may succeed later.
 */
export function createMailIn(deps: MailInDeps): (request: Request) => Promise<Response> {
  const read = parseMailInUrl(deps.mailInUrl);
  return async (request) => {
    if (!read.ok) return refuse(404, 'Esta instalação não recebe e-mails');
    if (request.method !== 'POST') return refuse(405, 'Método não permitido', { allow: 'POST' });
    const { mailIn } = read;
    const terms = { secret: mailIn.secret, maxBytes: MAX_BYTES, now: deps.now() };
    const mail = await PROVIDERS[mailIn.provider](request, terms);
    if (mail === 'forged') return refuse(401, 'Assinatura inválida');
    if (typeof mail === 'string') return answer(deps, [mail]);
    try {
      return answer(deps, await deliver(deps.access, mailIn, mail));
    } catch (error) {
      if (!(error instanceof InstallationUnreachable)) throw error;
      deps.warn(error.message);
      return refuse(503, 'Não foi possível salvar agora');
    }
  };
}

function answer({ report }: MailInDeps, outcomes: readonly string[]): Response {
  report({ outcomes });
  return answerJson(200, { outcomes });
}

async function deliver(
  access: DatabaseAccess,
  { domain }: MailIn,
  mail: IncomingMail,
): Promise<readonly string[]> {
  const locals = listLocalParts(mail.recipients, domain);
  if (locals.length === 0) return ['unknown_address'];
  const message = {
    message_key: await digest(nameMessage(mail)),
    sender: cleanLine(mail.sender).slice(0, MOST_ADDRESS).toWellFormed(),
    is_verified: mail.isVerified,
    subject: truncateCharacters(cleanLine(mail.subject), MOST_SUBJECT),
    links: findMailLinks(mail),
  };
  const outcomes: string[] = [];
  for (const local of locals) outcomes.push(await save(access, { local_part: local, ...message }));
  return outcomes;
}

/** What stands before the @, of recipients at our domain, each once. */
function listLocalParts(recipients: readonly string[], domain: string): readonly string[] {
  const locals = recipients.flatMap((recipient) => {
    const [, local, at] = /^<?([^\s@<>]{1,64})@([^\s@<>]+?)>?$/.exec(recipient.trim().toLowerCase()) ?? [];
    return local !== undefined && at === domain ? [local] : [];
  });
  return [...new Set(locals)].slice(0, MOST_RECIPIENTS);
}

/** The same for every delivery of a message, and for no other one (RFC 5322, section 3.6.4). */
function nameMessage({ headers, fallbackId, sender, subject, text, html }: IncomingMail): string {
  const [id = ''] = valuesOf(headers, 'message-id');
  return id.trim() || fallbackId || JSON.stringify([sender, subject, text, html]);
}

/** @throws InstallationUnreachable when it may succeed later. */
async function save(access: DatabaseAccess, message: object): Promise<string> {
  const answered = await callDatabase(access, 'receive_mail', message).catch((cause: unknown) => {
    throw new InstallationUnreachable('receive_mail: no answer', { cause });
  });
  if (answered.ok) return String(answered.value);
  if (answered.status === 400) return 'unreadable';
  throw new InstallationUnreachable(`receive_mail: status ${answered.status}`);
}
