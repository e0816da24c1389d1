import { withCors } from '../_shared/answer-json.ts';
import { openStripe } from '../_shared/open-stripe.ts';
import { readPriceBook } from '../_shared/read-price-book.ts';
import { createPriceListHandler } from './create-price-list-handler.ts';

const read = (name: string) => Deno.env.get(name) ?? '';
const secretKey = read('STRIPE_SECRET_KEY');

Deno.serve(
  withCors(
    createPriceListHandler({
      stripe: openStripe({ fetch, secretKey, apiUrl: read('STRIPE_API_URL') || undefined }),
      book: readPriceBook(read),
      testMode: /^(?:sk|rk)_test_/.test(secretKey),
      now: () => performance.now(),
    }),
  ),
);
