import { ACCOUNT_MESSAGES } from '@linkoteca/domain/messages/account-messages';
import { useMemo } from 'react';
import { describeError } from '../../../shared/lib/describe-error.ts';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';
import { useAuthorizedFetch } from '../../../shared/lib/supabase/use-authorized-fetch.ts';

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

/** A card provider that does not answer in that time will not answer the person who waits. */
const PATIENCE_MS = 30_000;

export interface PaymentFunctionCall {
  readonly name: string;
  /** Sent as JSON by POST; without one the call is a GET. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Makes the error of a refusal from the server's sentence, if it sent one. */
  readonly fail: (sentence: string | null) => PaymentFunctionError;
}

/** Resolves to the function's JSON object. */
export type CallPaymentFunction = (call: PaymentFunctionCall) => Promise<Readonly<Record<string, unknown>>>;

/**
 * Calls a payment function with the person's token (protocol note, section 5).
 * @throws PaymentFunctionError with the server's text when it sent one; `fetch`'s own error without network.
 */
export function usePaymentFunction(): CallPaymentFunction {
  const send = useAuthorizedFetch();
  const { auth, config } = useBackend();
  return useMemo(
    () => async (call) => {
      const { data } = await auth.getSession();
      // Without a session the call would go out anonymously.
      if (!data.session) {
        const { operation } = ACCOUNT_MESSAGES.guard;
        throw new PaymentFunctionError(operation, operation);
      }
      const response = await send(`${config.supabaseUrl}/functions/v1/${call.name}`, {
        ...(call.body
          ? {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify(call.body),
            }
          : {}),
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      return readAnswer(response, call.fail);
    },
    [auth, config, send],
  );
}

async function readAnswer(
  response: Response,
  fail: PaymentFunctionCall['fail'],
): Promise<Readonly<Record<string, unknown>>> {
  const body: unknown = await response.json().catch(() => undefined);
  const fields = typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body } : undefined;
  const sentence = readSentence(fields);
  if (!response.ok || sentence !== null) throw fail(sentence);
  if (fields === undefined) throw wrongFormat();
  return fields;
}

function readSentence(fields: Readonly<Record<string, unknown>> | undefined): string | null {
  const said = fields?.['error'];
  return typeof said === 'string' && said.trim() !== '' ? said.trim() : null;
}

/** What a person reads of a payment call that failed: the server's sentence, the missing network, else the screen's own text. */
export function describePaymentFailure(error: unknown, fallback: string): string {
  if (error instanceof PaymentFunctionError) return error.sentence ?? fallback;
  return describeError(error, fallback);
}
