import { hasPassword } from './basic-auth.ts';
import { domainOf, type MailHeaders, readAddress, speaksFor } from './incoming-mail.ts';
import { readForm } from './read-form.ts';
import type { ReceiveMail } from './receive-mail.ts';

/**
 * SendGrid's Inbound Parse: a form (https://www.twilio.com/docs/sendgrid/for-developers/parsing-email/setting-up-the-inbound-parse-webhook),
 * known by the password in its address.
 */
export const receiveSendgrid: ReceiveMail = async (request, { secret, maxBytes }) => {
  if (!(await hasPassword(request.headers, secret))) return 'forged';
  const form = await readForm(request, maxBytes);
  if (form === 'too_large') return 'too_large';
  if (form === undefined) return 'unreadable';
  const charsets = readCharsets(form.get('charsets'));
  const envelope = readEnvelope(form.get('envelope'));
  const sender = readAddress(form.get('from', charsets('from')));
  const isVerified =
    (/^pass$/i.test(form.get('SPF').trim()) && speaksFor(domainOf(envelope.from), domainOf(sender))) ||
    listSignedDomains(form.get('dkim')).some((domain) => speaksFor(domain, domainOf(sender)));
  return {
    recipients: envelope.to,
    sender,
    isVerified,
    subject: form.get('subject', charsets('subject')),
    text: form.get('text', charsets('text')),
    html: form.get('html', charsets('html')),
    headers: readHeaderLines(form.get('headers')),
    fallbackId: '',
  };
};

/** The domains whose signature passed: `{@exemplo.com.br : pass, @outro.com : fail}`. */
function listSignedDomains(dkim: string): readonly string[] {
  return [...dkim.matchAll(/@([^\s:,{}@]+)\s*:\s*pass\b/gi)].map(([, domain = '']) => domain);
}

function readEnvelope(json: string): { readonly from: string; readonly to: readonly string[] } {
  const { from, to } = parseRecord(json);
  return {
    from: typeof from === 'string' ? from : '',
    to: Array.isArray(to) ? to.filter((address): address is string => typeof address === 'string') : [],
  };
}

/** Of each field the charset that it is in. */
function readCharsets(json: string): (field: string) => string | undefined {
  const charsets = parseRecord(json);
  return (field) => {
    const charset = charsets[field];
    return typeof charset === 'string' ? charset : undefined;
  };
}

function parseRecord(json: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** The header as it came; long lines go on in lines that begin with a space (RFC 5322, section 2.2.3). */
function readHeaderLines(raw: string): MailHeaders {
  return raw
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)
    .flatMap((line) => {
      const colon = line.indexOf(':');
      return colon > 0 ? [[line.slice(0, colon), line.slice(colon + 1).trim()] as const] : [];
    });
}
