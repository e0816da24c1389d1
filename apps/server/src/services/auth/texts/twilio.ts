import * as v from 'valibot';
import type { TwilioSettings } from '../../../kernel/settings.ts';
import type { Texter, TextMessage } from '../../../kernel/text-messages.ts';

const API_URL = 'https://api.twilio.com';
const VERSION = '2010-04-01';
const TIMEOUT_MS = 10_000;
/** Answers are some hundred bytes long. */
const MAX_ANSWER_BYTES = 65_536;

/** A message was taken, and what became of it so far. */
const MESSAGE = v.object({
  sid: v.string(),
  status: v.optional(v.string(), ''),
  error_code: v.nullish(v.union([v.number(), v.string()])),
});
/** A refusal; its words may repeat the number, its code does not. */
const REFUSAL = v.object({ code: v.optional(v.number()) });

const UNSENT = ['failed', 'undelivered'];
const NUMBER = /^\+?[1-9]\d{1,14}$/;

/**
 * Text messages by Twilio. (Source: Twilio, "Create a Message"; GoTrue sends the same fields.)
 * @param settings of the operator's account there
 */
export function createTwilioTexter(settings: TwilioSettings): Texter {
  const { accountSid, authToken, apiUrl = API_URL } = settings;
  const url = `${apiUrl}/${VERSION}/Accounts/${encodeURIComponent(accountSid)}/Messages.json`;
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
  return {
    async send(message) {
      const response = await fetch(url, {
        method: 'POST',
        headers: { authorization },
        body: new URLSearchParams(describe(settings, message)),
        // The token goes to no other place.
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const answer = await readAnswer(response);
      if (!response.ok) {
        const refusal = v.safeParse(REFUSAL, answer);
        const code = refusal.success ? refusal.output.code : undefined;
        throw new Error(`Twilio answered ${response.status}${code === undefined ? '' : `, code ${code}`}`);
      }
      const taken = v.safeParse(MESSAGE, answer);
      if (!taken.success) throw new Error('Twilio answered something that is no message');
      const { status, sid, error_code: code } = taken.output;
      if (UNSENT.includes(status))
        throw new Error(`Twilio: message ${sid} is ${status} (${code ?? 'no code'})`);
    },
  };
}

function describe(
  { messageServiceSid, contentSid }: TwilioSettings,
  { to, channel, text, code }: TextMessage,
): Record<string, string> {
  if (channel === 'sms') return { To: `+${to}`, From: messageServiceSid, Body: text };
  const from = NUMBER.test(messageServiceSid) ? `whatsapp:${messageServiceSid}` : messageServiceSid;
  const content =
    contentSid === ''
      ? { Body: text }
      : { ContentSid: contentSid, ContentVariables: JSON.stringify({ 1: code }) };
  return { To: `whatsapp:+${to}`, From: from, ...content };
}

async function readAnswer(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    // Leaving the loop lets go of the rest.
    if (size > MAX_ANSWER_BYTES) throw new Error('Twilio answered too much');
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
}
