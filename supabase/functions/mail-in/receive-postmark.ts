import { readLimitedBytes } from '../_shared/read-body.ts';
import { hasPassword } from './basic-auth.ts';
import {
  domainOf,
  type IncomingMail,
  type MailHeaders,
  speaksFor,
  type Unreceived,
  valuesOf,
} from './incoming-mail.ts';
import type { ReceiveMail } from './receive-mail.ts';

/** Postmark's inbound hook: JSON (https://postmarkapp.com/developer/webhooks/inbound-webhook), known by the password in its address. */
export const receivePostmark: ReceiveMail = async (request, { secret, maxBytes }) => {
  if (!(await hasPassword(request.headers, secret))) return 'forged';
  const body = await readLimitedBytes(request, maxBytes);
  if (body === undefined) return 'too_large';
  return readPostmark(body);
};

function readPostmark(body: Uint8Array): IncomingMail | Unreceived {
  const message = parseObject(new TextDecoder().decode(body));
  if (message === undefined) return 'unreadable';
  const headers = readHeaders(message['Headers']);
  const sender = text(record(message['FromFull'])['Email']).toLowerCase();
  return {
    recipients: [text(message['OriginalRecipient'])],
    sender,
    isVerified: isVerified(headers, domainOf(sender)),
    subject: text(message['Subject']),
    text: text(message['TextBody']),
    html: text(message['HtmlBody']),
    headers,
    fallbackId: text(message['MessageID']),
  };
}

/**
 * Postmark writes `Received-SPF`, and SpamAssassin's findings. A sender can write the same headers, so each that is there has to say it.
 */
function isVerified(headers: MailHeaders, domain: string): boolean {
  const policies = valuesOf(headers, 'received-spf');
  const findings = valuesOf(headers, 'x-spam-tests');
  return (
    (policies.length > 0 && policies.every((value) => passesFor(value, domain))) ||
    // The signature is that of the author's domain.
    (findings.length > 0 && findings.every((value) => value.split(/[\s,]+/).includes('DKIM_VALID_AU')))
  );
}

/** RFC 7208, section 9.1. */
function passesFor(policy: string, domain: string): boolean {
  const envelope = /\benvelope-from=["<]?([^\s;">]+)/i.exec(policy)?.[1] ?? '';
  return /^\s*pass\b/i.test(policy) && speaksFor(domainOf(envelope), domain);
}

function readHeaders(value: unknown): MailHeaders {
  return (Array.isArray(value) ? value : []).map((header) => {
    const { Name, Value } = record(header);
    return [text(Name), text(Value)] as const;
  });
}

function parseObject(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
