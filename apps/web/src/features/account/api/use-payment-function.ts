import { ACCOUNT_MESSAGES } from '@linkoteca/domain/account-messages';
import { BILLING_SERVICE_ERRORS } from '@linkoteca/domain/billing-messages';
import { useMemo } from 'react';
import { useBackend } from '../../../shared/lib/supabase/backend-context.tsx';
import { useAuthorizedFetch } from '../../../shared/lib/supabase/use-authorized-fetch.ts';
import { PaymentFunctionError } from './payment-function-error.ts';

/** A card provider that does not answer in that time will not answer the person who waits. */
const PATIENCE_MS = 30_000;

export interface PaymentFunctionCall {
  readonly name: string;
  /** Sent as JSON by POST; without one the call is a GET. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** What the failure is called when the server says nothing. */
  readonly failure: string;
  readonly patienceMs?: number;
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
        signal: AbortSignal.timeout(call.patienceMs ?? PATIENCE_MS),
      });
      return readAnswer(response, call.failure);
    },
    [auth, config, send],
  );
}

async function readAnswer(response: Response, failure: string): Promise<Readonly<Record<string, unknown>>> {
  const body: unknown = await response.json().catch(() => undefined);
  const fields = typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body } : undefined;
  const sentence = readSentence(fields);
  if (!response.ok || sentence !== null) throw new PaymentFunctionError(sentence ?? failure, sentence);
  if (fields === undefined) throw new PaymentFunctionError(BILLING_SERVICE_ERRORS.format);
  return fields;
}

function readSentence(fields: Readonly<Record<string, unknown>> | undefined): string | null {
  const said = fields?.['error'];
  return typeof said === 'string' && said.trim() !== '' ? said.trim() : null;
}
