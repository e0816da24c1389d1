import { PAYMENT_REFUSALS } from '../../../packages/domain/src/payment-refusals.ts';
import { refuse } from './answer-json.ts';
import { answerPaymentFailure } from './answer-payment-failure.ts';
import { readPerson } from './read-person.ts';

/** Who asks, as the gateway has verified. */
export type Person = { readonly id: string; readonly authorization: string };

/**
 * A payment function that signed-in people call, by one method. Everybody else is refused before anything is looked at:
 * visitors, API keys, accounts without a name.
 */
export function forPerson(
  method: 'GET' | 'POST',
  handle: (request: Request, person: Person) => Promise<Response>,
): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method !== method) return refuse(405, PAYMENT_REFUSALS.method, { allow: method });
    const id = readPerson(request.headers);
    const authorization = request.headers.get('authorization');
    if (id === undefined || authorization === null) return refuse(401, PAYMENT_REFUSALS.signIn);
    try {
      return await handle(request, { id, authorization });
    } catch (error) {
      return answerPaymentFailure(error);
    }
  };
}
