import type { Delivery, OutgoingMail } from './process-mail-queue.ts';

/**
 * Where mails go out on the hosted platform, whose functions reach no SMTP server: an API that takes `POST {"from","to","subject","text",
 * "html","headers"}` with a bearer key, and each `Idempotency-Key` once (Resend, or a relay of one's own).
 */
export type MailApi = {
  readonly fetch: typeof fetch;
  readonly url: string;
  readonly key: string;
  readonly from: string;
};

/** What is to be sent, and what no other mail is called: two queues may hold the same id. */
export type NamedMail = { readonly mail: OutgoingMail; readonly purpose: string; readonly id: string };

const PATIENCE_MS = 20_000;
/** The mail itself is the fault; all else is the connection, the key or the quota, and passes. */
const REFUSALS = new Set([400, 413, 422]);

/** This key came before: an earlier try was taken, though its answer was lost. */
const TAKEN_BEFORE = 409;

/** Hands a mail to the API. The key that goes along makes a second try of the same mail harmless. */
export async function deliverByApi(
  { fetch, url, key, from }: MailApi,
  { mail: { to, subject, text, html, headers }, purpose, id }: NamedMail,
): Promise<Delivery> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': `${purpose}/${id}`,
      },
      body: JSON.stringify({ from, to: [to], subject, text, html, headers }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    await response.body?.cancel();
    if (response.ok || response.status === TAKEN_BEFORE) return 'sent';
    console.error('a mail was not taken', { purpose, id, status: response.status });
    return REFUSALS.has(response.status) ? 'refused' : 'unreachable';
  } catch (error) {
    console.error('the mail API cannot be reached', error);
    return 'unreachable';
  }
}
