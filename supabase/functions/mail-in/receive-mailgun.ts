import { domainOf, type MailHeaders, readAddress, speaksFor, valuesOf } from './incoming-mail.ts';
import { type MailForm, readForm } from './read-form.ts';
import type { ReceiveMail } from './receive-mail.ts';

/** How old a signature may be: Mailgun signs each attempt anew. */
const TOLERANCE_MS = 300_000;

/**
 * A route of Mailgun's that forwards what it has parsed: a form
 * (https://documentation.mailgun.com/docs/mailgun/user-manual/receive-forward-store/receive-http), signed with the account's key.
 */
export const receiveMailgun: ReceiveMail = async (request, { secret, maxBytes, now }) => {
  const form = await readForm(request, maxBytes);
  if (form === 'too_large') return 'too_large';
  if (form === undefined || !(await isSigned(form, secret, now))) return 'forged';
  const headers = readHeaders(form.get('message-headers'));
  const sender = readAddress(form.get('from'));
  return {
    recipients: form.get('recipient').split(/[\s,]+/),
    sender,
    isVerified: isVerified(headers, form.get('sender'), domainOf(sender)),
    subject: form.get('subject'),
    text: form.get('body-plain'),
    // One for each part of HTML.
    html: form.join('body-html'),
    headers,
    fallbackId: '',
  };
};

/** HMAC-SHA256 of timestamp and token; compared in a time that says nothing. */
async function isSigned(form: MailForm, secret: string, now: number): Promise<boolean> {
  const [timestamp, token, signature] = [form.get('timestamp'), form.get('token'), form.get('signature')];
  if (!/^\d{1,12}$/.test(timestamp) || token === '' || !/^[0-9a-f]{64}$/i.test(signature)) return false;
  if (Math.abs(now - 1000 * Number(timestamp)) > TOLERANCE_MS) return false;
  const encode = (text: string) => new TextEncoder().encode(text);
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encode(secret), algorithm, false, ['verify']);
  const bytes = Uint8Array.from(signature.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
  return await crypto.subtle.verify('HMAC', key, bytes, encode(timestamp + token));
}

/**
 * Mailgun writes `X-Mailgun-Spf` and `X-Mailgun-Dkim-Check-Result`, without naming the domain. A sender can write the same headers, and
 * several signatures: each that is there has to say it.
 */
function isVerified(headers: MailHeaders, envelopeFrom: string, domain: string): boolean {
  const passes = (name: string) => {
    const values = valuesOf(headers, name);
    return values.length > 0 && values.every((value) => /^\s*pass\s*$/i.test(value));
  };
  const signatures = valuesOf(headers, 'dkim-signature');
  return (
    (passes('x-mailgun-spf') && speaksFor(domainOf(envelopeFrom), domain)) ||
    (passes('x-mailgun-dkim-check-result') &&
      signatures.length > 0 &&
      signatures.every((signature) => speaksFor(signingDomain(signature), domain)))
  );
}

/** The tag `d` of a signature (RFC 6376, section 3.5). */
function signingDomain(signature: string): string {
  return /(?:^|;)\s*d\s*=\s*([^\s;]+)/i.exec(signature)?.[1] ?? '';
}

/** A list of names and values, as JSON. */
function readHeaders(json: string): MailHeaders {
  try {
    const value: unknown = JSON.parse(json);
    return (Array.isArray(value) ? value : []).flatMap((header: unknown) => {
      const [name, text] = Array.isArray(header) ? header : [];
      return typeof name === 'string' && typeof text === 'string' ? [[name, text] as const] : [];
    });
  } catch {
    return [];
  }
}
