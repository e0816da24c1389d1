import { createHmac } from 'node:crypto';

type Message = { readonly id: string; readonly sentAt: Date; readonly body: string };

/**
 * The headers by which a receiver knows that a message is ours and new. (Source: Standard Webhooks 1.0.)
 * @param separator between several signatures: a blank by the specification; GoTrue has a comma.
 */
export function signWebhook(
  { id, sentAt, body }: Message,
  secrets: readonly Buffer[],
  separator = ' ',
): Readonly<Record<string, string>> {
  const timestamp = Math.floor(sentAt.getTime() / 1000);
  const sign = (secret: Buffer) =>
    createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map((secret) => `v1,${sign(secret)}`).join(separator),
  };
}
